/** A row with a bar whose length is relative to the longest. */
export interface Bar {
  name: string;
  href: string | null;
  value: number;
  text: string;
  note: string;
}

/** A ranking as a table with a bar in each row. */
export function Ranking({
  rows,
  valueLabel,
  label,
}: {
  rows: Bar[];
  valueLabel: string;
  label: string;
}) {
  if (rows.length === 0) return <p className="report-note">No data for this period.</p>;
  const most = Math.max(...rows.map(({ value }) => value), 1);
  return (
    <table className="report-table ranking">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className="is-number">
            {valueLabel}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, href, value, text, note }) => (
          <tr
            key={href ?? name}
            style={{ "--part": `${(Math.max(value, 0) * 100) / most}%` } as object}
          >
            <th scope="row">{href ? <a href={href}>{name}</a> : name}</th>
            <td className="is-number">
              {text}
              <small>{note}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
