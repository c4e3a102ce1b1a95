// The pages of an order, as the server renders them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import InvoicePage from "../../app/admin/orders/invoice-page";
import { PaymentPanel } from "../../app/admin/orders/payment-panel";
import { Quantities } from "../../app/admin/orders/quantities";
import { SharedContext } from "../../app/lib/shared";
import type { OrderTotals } from "../../app/lib/types";
import ConfirmationPage from "../../app/orders/confirmation-page";
import { adminOrder } from "../../app/samples/admin-orders";
import { shared } from "../../app/samples/base";
import { order } from "../../app/samples/orders";

const render = (page: ReactElement) =>
  renderToStaticMarkup(<SharedContext value={shared}>{page}</SharedContext>);

/** The rows of the sums: label and amount. */
function sumsOf(sheet: "invoice" | "panel", totals: Partial<OrderTotals>): string[] {
  const of = { ...adminOrder, totals: { ...adminOrder.totals, ...totals } };
  const html = render(
    sheet === "invoice" ? (
      <InvoicePage order={of} />
    ) : (
      <PaymentPanel order={of} onUndo={() => {}} />
    ),
  );
  return [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, label, sum]) => `${label} ${sum}`,
  );
}

test("each tax is listed by its name with its own amount", () => {
  const taxes = [
    { name: "Ohio sales tax", amount: 800 },
    { name: "Ohio excise", amount: 56 },
  ];
  for (const sheet of ["invoice", "panel"] as const) {
    const sums = sumsOf(sheet, { tax: 856, taxes });
    assert.ok(sums.includes("Ohio sales tax $8.00"), `${sheet}: ${sums}`);
    assert.ok(sums.includes("Ohio excise $0.56"), `${sheet}: ${sums}`);
    assert.ok(!sums.some((row) => row.endsWith("$8.56")), `${sheet}: ${sums}`);
    assert.ok(sumsOf(sheet, { tax: 0, taxes: [] }).includes("Tax $0.00"), sheet);
  }
});

test("canceled items are marked on the invoice and on the buyer's page", () => {
  const line = adminOrder.lines[0];
  assert.ok(line);
  const invoice = (canceled: number) =>
    render(<InvoicePage order={{ ...adminOrder, lines: [{ ...line, canceled }] }} />);
  assert.match(invoice(2), /2 canceled/);
  assert.doesNotMatch(invoice(0), /canceled/);

  const bought = { ...order(0), fulfillment_status: "fulfilled" as const };
  const page = (canceled: number) => {
    const lines = bought.lines.map((each) => ({ ...each, quantity: 3, canceled }));
    const of = { ...bought, lines };
    return render(<ConfirmationPage number={of.number} order={of} store_address="" />);
  };
  assert.match(page(2), />2 canceled</);
  assert.doesNotMatch(page(0), /canceled/);
});

test("what is chosen of items that somebody else has shipped meanwhile can be taken back", () => {
  const line = adminOrder.lines[0];
  assert.ok(line);
  const shown = (quantity: number) =>
    renderToStaticMarkup(
      <Quantities
        legend="In this package"
        lines={[line]}
        maximum={() => 0}
        chosen={{ [line.id]: quantity }}
        onChange={() => {}}
        problem="That’s more than the order has."
      />,
    );
  assert.match(shown(2), /<input[^>]*value="2"/);
  assert.doesNotMatch(shown(0), /<input/);
});
