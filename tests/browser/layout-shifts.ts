import type { Page } from "./shop";

/** The layout shifts so far if their sum is at least 0.001, otherwise none. */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as LayoutShift[]) {
            if (entry.hadRecentInput) continue;
            sum += entry.value;
            const names = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
              const element = node instanceof Element ? node : node?.parentElement;
              const rect = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height];
              return `${element?.tagName}.${element?.className} ${rect(from)} to ${rect(to)}`;
            });
            moved.push(`${entry.value} at ${entry.startTime} ms: ${names.join("; ")}`);
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries arrive before the second frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum < 0.001 ? [] : moved)));
      }),
  );
}

/** https://wicg.github.io/layout-instability/#sec-layout-shift */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: {
    node: Node | null;
    previousRect: DOMRectReadOnly;
    currentRect: DOMRectReadOnly;
  }[];
}
