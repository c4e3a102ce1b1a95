import type { Figures } from "../../lib/types";
import { percent, whole } from "./words";

/** How far visits came. */
export function Funnel({ figures }: { figures: Figures }) {
  const { visits, products, baskets, checkouts, buyers } = figures;
  const steps: [string, number][] = [
    ["Visited", visits],
    ["Looked at a product", products],
    ["Filled a cart", baskets],
    ["Went to the checkout", checkouts],
    ["Paid", buyers],
  ];
  const part = (value: number) => (visits > 0 ? Math.round((value * 10_000) / visits) : 0);
  return (
    <table className="report-table funnel">
      <caption className="visually-hidden">How far visits came</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Visits</th>
          <th scope="col">Of all visits</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(([label, value]) => (
          <tr key={label} style={{ "--part": `${part(value) / 100}%` } as object}>
            <th scope="row">{label}</th>
            <td className="is-number">{whole(value)}</td>
            <td className="is-number">{visits > 0 ? percent(part(value)) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
