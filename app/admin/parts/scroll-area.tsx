import type { ReactNode } from "react";

interface Props {
  label: string;
  className?: string;
  children: ReactNode;
}

/** What may be wider than the page, such as a table: it scrolls by itself, by keyboard, too. */
export function ScrollArea({ label, className = "", children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={`admin-list-scroll ${className}`.trim()} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
