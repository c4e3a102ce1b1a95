import type { Figures } from "../../lib/types";
import { percent, whole } from "./format";

/** Conversion funnel. */
export function Funnel({ figures }: { figures: Figures }) {
  const { visits, products, baskets, checkouts, buyers } = figures;
  const steps: [string, number][] = [
    ["Visited", visits],
    ["Viewed a product", products],
    ["Added to cart", baskets],
    ["Reached checkout", checkouts],
    ["Ordered", buyers],
  ];
  const part = (value: number) => (visits > 0 ? Math.round((value * 10_000) / visits) : 0);
  return (
    <table className="report-table funnel">
      <caption className="visually-hidden">Conversion funnel</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Visits</th>
          <th scope="col">Share of visits</th>
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
