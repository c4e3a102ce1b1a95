import type { PackingSlipPage as Props } from "../../lib/types";
import { PrintLayout, PrintPage } from "./print-layout";

/** The unfulfilled items, without prices; if there are none, the fulfilled ones. */
export default function PackingSlipPage({ order }: Props) {
  const { lines, adult_signature, needs_label } = order;
  const open = lines.filter(({ open }) => open > 0);
  const packed = open.length > 0 ? open : lines.filter(({ shipped }) => shipped > 0);
  return (
    <PrintPage title="Packing slip" order={order}>
      <table className="sheet-table">
        <thead>
          <tr>
            <th scope="col">Packed</th>
            <th scope="col">Items</th>
            <th scope="col">SKU</th>
            <th scope="col" className="is-number">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {packed.map(({ id, title, variant, sku, open, shipped, refunded_unsent }) => (
            <tr key={id}>
              <td>
                <span className="sheet-box" />
              </td>
              <td>
                {title}
                {variant && <small>{variant}</small>}
                {refunded_unsent > 0 && (
                  <small>{`${refunded_unsent} refunded. Ask before you pack.`}</small>
                )}
              </td>
              <td>{sku}</td>
              <td className="is-number">{open || shipped}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="sheet-notes">
        {adult_signature && <li>Adult signature (21+) required.</li>}
        {needs_label && <li>Ground shipping only. Mark the package as its contents require.</li>}
      </ul>
    </PrintPage>
  );
}

PackingSlipPage.Layout = PrintLayout;
