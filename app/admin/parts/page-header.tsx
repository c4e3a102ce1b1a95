import type { ReactNode } from "react";
import type { Link } from "../../lib/types";
import { Breadcrumbs } from "../../ui/breadcrumbs";

interface Props {
  title: string;
  /** Breadcrumbs, starting at the screen that this page belongs to. */
  links?: Link[];
  /** Status tags beside the title. */
  note?: ReactNode;
  /** Buttons for the whole page. */
  children?: ReactNode;
}

/** The header of an admin page: breadcrumbs, title, status, and buttons. */
export function PageHeader({ title, links = [], note, children }: Props) {
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
