// The pages of an order, as the server renders them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CompliancePanel } from "../../app/admin/orders/compliance-panel";
import { CustomerPanel } from "../../app/admin/orders/customer-panel";
import { HandOverDialog, ShipDialog } from "../../app/admin/orders/fulfillment-dialogs";
import InvoicePage from "../../app/admin/orders/invoice-page";
import { emailedText, OrderError } from "../../app/admin/orders/order-form-dialog";
import PackingSlipPage from "../../app/admin/orders/packing-slip-page";
import { ParcelsPanel } from "../../app/admin/orders/parcels-panel";
import { PaymentPanel } from "../../app/admin/orders/payment-panel";
import { allLinesOf, linesOf, maximumOf, Quantities } from "../../app/admin/orders/quantities";
import { receiptProblem } from "../../app/admin/orders/return-dialogs";
import { ApiError } from "../../app/lib/api";
import { SharedContext } from "../../app/lib/shared";
import type { ComplianceFacts, OrderTotals, Problem } from "../../app/lib/types";
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

test("what the bank took back is shown to staff", () => {
  const row = "Taken back by the bank -$2.00";
  assert.ok(sumsOf("panel", { reclaimed: 200 }).includes(row));
  assert.ok(!sumsOf("panel", { reclaimed: 0 }).some((each) => each.startsWith("Taken back")));
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

test("whoever packs is told of items that were refunded", () => {
  const line = adminOrder.lines[0];
  assert.ok(line);
  const told = (refunded_unsent: number) => {
    const of = { ...adminOrder, lines: [{ ...line, open: 3, refunded_unsent }] };
    return [
      render(<PackingSlipPage order={of} />),
      render(<ShipDialog order={of} onClose={() => {}} />),
      render(<HandOverDialog order={of} onClose={() => {}} />),
    ];
  };
  const sentence = /2 refunded\. Ask before you pack\.|Some of these items were refunded\./;
  for (const html of told(2)) assert.match(html, sentence);
  for (const html of told(0)) assert.doesNotMatch(html, /Ask before|were refunded/);
});

test("an invoice asks for no payment of a canceled order", () => {
  const invoice = (status: typeof adminOrder.status) =>
    render(<InvoicePage order={{ ...adminOrder, status, attempts: [] }} />);
  assert.match(invoice("placed"), /<p>Not paid yet<\/p>/);
  assert.match(invoice("canceled"), /<p>Canceled, nothing to pay<\/p>/);
});

test("a cancellation of nothing names its lines", () => {
  // Without any line the whole order would be canceled.
  const nothing = maximumOf(adminOrder.lines, () => 0);
  assert.deepEqual(linesOf(nothing), []);
  assert.deepEqual(
    allLinesOf(nothing),
    adminOrder.lines.map(({ id }) => ({ line_id: id, quantity: 0 })),
  );
});

test("a cancellation without an address says nothing of an email", () => {
  const told = (email: string, isMailOn: boolean) => {
    const customer = { ...adminOrder.customer, email };
    return emailedText("Canceled.", { ...adminOrder, customer }, isMailOn);
  };
  assert.equal(told("ada@shop.example", true), "Canceled. The customer is being emailed.");
  const off = "Canceled. Email is off: tell the customer yourself.";
  assert.equal(told("ada@shop.example", false), off);
  for (const isMailOn of [true, false]) assert.equal(told("", isMailOn), "Canceled.");
});

test("the order of a deleted account has no links without text", () => {
  const panel = (part: Partial<typeof adminOrder.customer>) => {
    const customer = { ...adminOrder.customer, ...part };
    return render(<CustomerPanel order={{ ...adminOrder, customer }} />);
  };
  assert.match(panel({}), /Has an account/);
  const erased = panel({ name: "", email: "", phone: "", href: "/admin/users/1" });
  assert.match(erased, /<a href="\/admin\/users\/1">Deleted account<\/a>/);
  assert.doesNotMatch(erased, /><\/a>|mailto:|Has an account/);
});

test("an email to a buyer has no other recipient or text than staff enter", () => {
  const hrefOf = (email: string) => {
    const customer = { ...adminOrder.customer, email };
    const panel = render(<CustomerPanel order={{ ...adminOrder, customer }} />);
    return /href="(mailto:[^"]*)"/.exec(panel)?.[1];
  };
  assert.equal(hrefOf("ann+web@x.example"), "mailto:ann%2Bweb@x.example");
  assert.equal(hrefOf("tom#1@x.example"), "mailto:tom%231@x.example");
  assert.equal(
    hrefOf("a?bcc=b%40c.example&body=d@x.example"),
    "mailto:a%3Fbcc%3Db%2540c.example%26body%3Dd@x.example",
  );
});

test("a receipt with half an item is said to be wrong", () => {
  const [of] = adminOrder.returns;
  assert.ok(of);
  const lines = [...of.lines, ...of.lines];
  const told = (errors: Record<string, string>) =>
    receiptProblem({ lines }, (field) => errors[field]);
  assert.equal(told({ "lines[1].written_off": "invalid type" }), "Enter whole numbers.");
  assert.equal(told({ "lines[0].restocked": "invalid type" }), "Enter whole numbers.");
  assert.equal(told({ lines: "Too many." }), "Too many.");
  assert.equal(told({}), undefined);
});

test("an error that no field of a dialog shows is shown below", () => {
  const errors: Record<string, string[]> = { "lines[0].quantity": ["invalid type"] };
  const problem = {
    type: "about:blank",
    title: "Unprocessable Entity",
    status: 422,
    detail: "Some fields need to be corrected.",
    code: "invalid",
    errors: errors as Problem["errors"],
    request_id: null,
  };
  const told = (shown: string[]) =>
    render(
      <OrderError
        error={new ApiError(422, problem)}
        shown={new Set(shown)}
        onReloaded={() => {}}
      />,
    );
  assert.match(told(["lines", "reason"]), /Some fields need to be corrected\./);
  assert.equal(told(["lines[0].quantity"]), "");
});

test("who must show an ID is told so until the order is canceled or handed over", () => {
  const shipped = { ...order(0), adult_signature: true };
  const pickup = { ...shipped, address: null, picked_up: true };
  const asks = (of: typeof shipped | typeof pickup) =>
    /must show ID and sign|Bring a photo ID that/.test(
      render(<ConfirmationPage number={of.number} order={of} store_address="" />),
    );
  const open = { status: "placed", fulfillment_status: "unfulfilled" } as const;
  const sent = { status: "placed", fulfillment_status: "fulfilled" } as const;
  const arrived = { status: "placed", fulfillment_status: "delivered" } as const;
  const canceled = { status: "canceled", fulfillment_status: "canceled" } as const;
  assert.deepEqual(
    [open, sent, arrived, canceled].map((state) => asks({ ...shipped, ...state })),
    [true, true, false, false],
  );
  assert.deepEqual(
    [open, sent, canceled].map((state) => asks({ ...pickup, ...state })),
    [true, false, false],
  );
});

test("staff read when an ID was checked, or that none was", () => {
  const told = (facts: Partial<ComplianceFacts>) => {
    const compliance = { ...adminOrder.compliance, ...facts };
    return render(<CompliancePanel order={{ ...adminOrder, compliance }} />);
  };
  const made = { age_method: "id_at_pickup", age_proved_on: null };
  assert.match(told({ ...made, id_checked_on: null }), /<p>ID \(21\+\) not checked yet<\/p>/);
  const checked = "<p>ID (21+) checked on November 22, 2026</p>";
  const page = told({ ...made, id_checked_on: "2026-11-22" });
  assert.ok(page.includes(checked) && !page.includes("Age 21+"), page);
  const both = told({ age_proved_on: "2026-11-21", id_checked_on: "2026-11-22" });
  assert.ok(both.includes(`<p>Age 21+ declared on November 21, 2026</p>${checked}`), both);
});

test("an order that is picked up has no packages", () => {
  const told = (isForPickup: boolean) =>
    render(
      <ParcelsPanel
        isForPickup={isForPickup}
        parcels={[]}
        mayDeliver={false}
        onDelivered={async () => {}}
        onUndo={() => {}}
      />,
    );
  assert.match(told(false), /Packages.*Nothing has shipped\./);
  assert.match(told(true), /Handover.*Nothing was picked up\./);
  assert.doesNotMatch(told(true), /Packages|shipped/);
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
