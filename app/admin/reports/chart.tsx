import { Plot } from "./plot";
import { type ChartProps, valueText } from "./rows";

/** A chart and a table with the same figures. */
export function Chart(props: ChartProps) {
  const { title, rows, now, before, format } = props;
  return (
    <figure className="chart">
      <figcaption>
        {title}
        <span className="chart-key" aria-hidden="true">
          <span data-key="now">{now}</span>
          {before && <span data-key="before">{before}</span>}
        </span>
      </figcaption>
      <Plot {...props} />
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
                <tr key={row.first}>
                  <th scope="row">{row.span}</th>
                  <td className="is-number">{valueText(row.now, format)}</td>
                  {before && <td className="is-number">{valueText(row.before, format)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
