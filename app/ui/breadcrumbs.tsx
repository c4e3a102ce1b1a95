import type { Link } from "../lib/types";

/** The path from the root of the shop; `current` is the name of the page itself. */
export function Breadcrumbs({ links, current }: { links: Link[]; current?: string }) {
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {links.map(({ label, href }, index) => (
          <li key={href}>
            <a
              href={href}
              aria-current={!current && index === links.length - 1 ? "page" : undefined}
            >
              {label}
            </a>
          </li>
        ))}
        {current && <li aria-current="page">{current}</li>}
      </ol>
    </nav>
  );
}
