import { type ReactNode, useState } from "react";

interface Props {
  label: string;
  className?: string;
  children: ReactNode;
}

/** What may be wider than the page, such as a table: it scrolls by itself, by keyboard, too. */
export function ScrollArea({ label, className = "", children }: Props) {
  const [scrolls, setScrolls] = useState(true);
  const watch = (area: HTMLElement) => {
    const observer = new ResizeObserver(() => setScrolls(area.scrollWidth > area.clientWidth));
    for (const each of [area, ...area.children]) observer.observe(each);
    return () => observer.disconnect();
  };
  return (
    <section
      ref={watch}
      className={`admin-list-scroll ${className}`.trim()}
      aria-label={label}
      tabIndex={scrolls ? 0 : undefined}
    >
      {children}
    </section>
  );
}
