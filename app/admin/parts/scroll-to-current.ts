import { type RefObject, useEffect, useRef } from "react";

/** For a row of links that may be wider than the screen: scrolls the row, so that the current link is in its middle. */
export function useScrollToCurrent<Row extends HTMLElement>(href: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address has another current link.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current && current)
      row.current.scrollLeft =
        current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [href]);
  return row;
}

/** For the `ref` of the option that the arrow keys have reached: brings it into view. */
export function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
