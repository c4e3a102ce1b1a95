import type { ReactNode } from "react";
import type { Link } from "../../lib/types";
import { Breadcrumbs } from "../../ui/breadcrumbs";

interface Props {
  title: string;
  /** The way here, from the screen that this page belongs to. */
  links?: Link[];
  /** Beside the title: states. */
  note?: ReactNode;
  /** What may be done with the whole page. */
  children?: ReactNode;
}

/** Where somebody is, and what they may do there. */
export function Head({ title, links = [], note, children }: Props) {
  return (
    <div className="admin-head">
      <div>
        {links.length > 0 && <Breadcrumbs links={links} current={title} />}
        <div className="admin-title">
          <h1>{title}</h1>
          {note}
        </div>
      </div>
      {children && <div className="admin-acts">{children}</div>}
    </div>
  );
}
