import { type ComponentType, useEffect, useState } from "react";
import type { Figures, Part } from "../../lib/types";
import { missing } from "../parts/missing";
import type { ChartProps, ChartRow } from "./plot";
import { day, span } from "./words";

/** False in browsers, whose builds leave out what stands behind it. */
declare const __SERVER__: boolean;

/** One figure of each part of a period. */
export function rowsOf(parts: Part[], figure: (figures: Figures) => number | null): ChartRow[] {
  return parts.map((part) => ({
    label: day(part.first),
    span: span(part.first, part.last),
    now: figure(part.now),
    before: part.before.is_known ? figure(part.before) : null,
  }));
}

/**
 * A chart with all of its figures as a table. The picture needs scripts and is drawn when the page is there, in a box that has its
 * size from the beginning; who does not see it has the table.
 */
export function Chart(props: ChartProps) {
  const { title, rows, now, before, format } = props;
  const [Plot, setPlot] = useState<ComponentType<ChartProps> | null>(null);
  useEffect(() => {
    // Nothing of the library in the server's program.
    if (!__SERVER__) import("./plot").then((code) => setPlot(() => code.default), missing);
  }, []);
  const say = (value: number | null) => (value === null ? "–" : format(value));
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
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
                  <td className="is-number">{say(row.now)}</td>
                  {before && <td className="is-number">{say(row.before)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
