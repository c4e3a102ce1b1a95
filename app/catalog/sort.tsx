import { useRef } from "react";
import type { SortOption } from "../lib/types";
import { Icon } from "../ui/icon";
import { useDismiss } from "../ui/use-dismiss";

/** The sort orders of a list, as links. */
export function Sort({ sorts }: { sorts: SortOption[] }) {
  const root = useRef<HTMLDivElement>(null);
  useDismiss(root);
  const selected = sorts.find((sort) => sort.selected);
  return (
    <div className="sort" ref={root}>
      <details>
        <summary>
          <span className="sort-label">Sort by </span>
          <span className="sort-order">{selected?.label}</span>
          <Icon name="chevron" />
        </summary>
        <ul data-feature="sort">
          {sorts.map(({ value, label, href, selected }) => (
            <li key={value}>
              <a
                href={href}
                rel="nofollow"
                aria-current={selected || undefined}
                data-keep-position=""
              >
                {label}
                {selected && <Icon name="check" />}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
