import { type ComponentType, useEffect, useState } from "react";
import type { Figures, Part } from "../../lib/types";
import { reportMissingCode } from "../parts/missing-code";
import { day, span } from "./format";
import type { ChartProps, ChartRow } from "./plot";

/** False in the client build, which drops the code that depends on it. */
declare const __SERVER__: boolean;

/** One figure for each interval of a period. */
export function rowsOf(parts: Part[], figure: (figures: Figures) => number | null): ChartRow[] {
  return parts.map((part) => ({
    label: day(part.first),
    span: span(part.first, part.last),
    now: figure(part.now),
    before: part.before.is_known ? figure(part.before) : null,
  }));
}

/**
 * A chart and a table with the same figures. The chart needs scripts and is drawn after hydration, in a box of fixed size;
 * the table is also for screen readers.
 */
export function Chart(props: ChartProps) {
  const { title, rows, now, before, format } = props;
  const [Plot, setPlot] = useState<ComponentType<ChartProps> | null>(null);
  useEffect(() => {
    // Keeps the chart library out of the server's bundle.
    if (!__SERVER__)
      import("./plot").then((code) => setPlot(() => code.default), reportMissingCode);
  }, []);
  const valueText = (value: number | null) => (value === null ? "–" : format(value));
  return (
    <figure className="chart">
      <figcaption>
        {title}
        <span className="chart-key" aria-hidden="true">
          <span data-key="now">{now}</span>
          {before && <span data-key="before">{before}</span>}
        </span>
      </figcaption>
      <div className="chart-plot needs-scripts" aria-hidden="true">
        {Plot && <Plot {...props} />}
      </div>
      <details className="chart-table">
        <summary>Show as table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
        <section className="report-scroll" tabIndex={0} aria-label={title}>
          <table className="report-table">
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col" className="is-number">
                  {now}
                </th>
                {before && (
                  <th scope="col" className="is-number">
                    {before}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.span}>
                  <th scope="row">{row.span}</th>
                  <td className="is-number">{valueText(row.now)}</td>
                  {before && <td className="is-number">{valueText(row.before)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
