import type { ReactNode } from "react";

/** A small table. The first cell of each row is its header. Rows that come and go need keys. */
export function Table({
  label,
  head,
  rows,
  keys,
}: {
  label: string;
  head: string[];
  rows: ReactNode[][];
  keys?: string[];
}) {
  const named = rows.map((cells, at) => ({ key: keys?.[at] ?? `${at}`, cells }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className="report-scroll" tabIndex={0} aria-label={label}>
      <table className="report-table">
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {named.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {rest.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column.
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
