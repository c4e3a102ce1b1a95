import assert from "node:assert/strict";
import { test } from "node:test";
import { statusTexts } from "../../app/orders/status-texts";

type Stands = Parameters<typeof statusTexts>[0];

const placed: Stands = {
  status: "placed",
  payment_status: "paid",
  fulfillment_status: "unfulfilled",
  picked_up: false,
  ready_at: null,
  email: "ada@example.com",
  total: 10_000,
  paid: 10_000,
  refunded: 0,
  reclaimed: 0,
  paid_in_store: false,
  adult_signature: false,
  lines: [{ canceled: 0 }, { canceled: 0 }],
};
const of = (change: Partial<Stands>) => statusTexts({ ...placed, ...change }, "USD");

test("a page of an order says how it stands, not only thanks", () => {
  const headings = (changes: Partial<Stands>[]) => changes.map((change) => of(change).heading);
  assert.deepEqual(
    headings([
      {},
      { fulfillment_status: "partially_fulfilled" },
      { fulfillment_status: "fulfilled" },
      { fulfillment_status: "delivered" },
      { fulfillment_status: "fulfilled", payment_status: "refunded", refunded: 10_000 },
      { status: "canceled", payment_status: "voided" },
    ]),
    [
      "Thank you",
      "Part of your order is on its way",
      "Your order is on its way",
      "Delivered",
      "Your order was refunded",
      "This order was canceled",
    ],
  );
  const pickup = { picked_up: true, payment_status: "not_paid", paid: 0 } as const;
  assert.deepEqual(
    headings([
      pickup,
      { ...pickup, ready_at: 1 },
      { ...pickup, ready_at: 1, fulfillment_status: "fulfilled", payment_status: "paid" },
    ]),
    ["Thank you", "Ready for pickup", "Picked up"],
  );
});

test("what is said of money is what became of it", () => {
  const canceled = (change: Partial<Stands>) => of({ status: "canceled", ...change }).lede;
  assert.equal(canceled({ payment_status: "voided", paid: 0 }), "You weren’t charged.");
  assert.equal(canceled({}), "What you paid goes back to you.");
  assert.equal(canceled({ refunded: 648 }), "What you paid goes back to you.", "the rest follows");
  assert.match(canceled({ refunded: 10_000 }), /refunded \$100\.00\. Banks/);
  const counter = { refunded: 10_000, paid_in_store: true } as const;
  assert.equal(canceled(counter), "We refunded $100.00.");
  assert.equal(of({ payment_status: "refunded", ...counter }).lede, "We refunded $100.00.");
  const bank = (amount: string) =>
    `Your bank has claimed back ${amount}, so we’re not refunding that as well.`;
  assert.equal(canceled({ reclaimed: 10_000 }), bank("$100.00"), "nothing goes back");
  assert.equal(
    canceled({ reclaimed: 200 }),
    `${bank("$2.00")} The rest of what you paid goes back to you.`,
  );
  const rest = canceled({ refunded: 9_800, reclaimed: 200 });
  assert.match(rest, /^We refunded \$98\.00\. .*Your bank has claimed back \$2\.00/);
  const all = canceled({ refunded: 10_000, reclaimed: 10_000 });
  assert.doesNotMatch(all, /bank has claimed/, "no more was taken than was paid");
  assert.match(of({ picked_up: true, payment_status: "not_paid", ready_at: 1 }).lede, /Pay \$100/);
  assert.doesNotMatch(of({ picked_up: true, ready_at: 1 }).lede, /Pay/);
});

test("what has happened is not announced as what comes next", () => {
  assert.ok(!of({}).steps.some((step) => step.includes("charge")), "the card is charged already");
  assert.ok(of({ payment_status: "authorized" }).steps.some((step) => step.includes("charge")));
  assert.deepEqual(of({ fulfillment_status: "delivered", adult_signature: true }).steps, []);
  assert.equal(of({ fulfillment_status: "fulfilled", adult_signature: true }).steps.length, 1);
});

test("no time is promised, and no email without an address", () => {
  const states: Partial<Stands>[] = [
    {},
    { payment_status: "authorized" },
    { fulfillment_status: "partially_fulfilled" },
    { picked_up: true },
  ];
  for (const state of states) {
    const said = (change: Partial<Stands>) => {
      const { lede, steps } = of({ ...state, ...change });
      return [lede, ...steps].join(" ");
    };
    assert.match(said({}), /email/);
    assert.doesNotMatch(said({}), /day/);
    assert.doesNotMatch(said({ email: "" }), /email/);
  }
});

test("what was canceled is not said to be on its way", () => {
  const lines = [{ canceled: 0 }, { canceled: 2 }];
  for (const change of [
    { fulfillment_status: "fulfilled" },
    { fulfillment_status: "delivered" },
    { fulfillment_status: "fulfilled", picked_up: true },
  ] as const) {
    assert.doesNotMatch(of(change).lede, /canceled/);
    const { lede } = of({ ...change, lines });
    assert.match(lede, /everything that wasn’t canceled/i);
    assert.doesNotMatch(lede, /all of it|your order/i);
  }
});
