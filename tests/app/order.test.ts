import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf } from "../../app/checkout/form-state";
import { prepareOrder } from "../../app/checkout/order";
import type { CheckoutForm, Quote } from "../../app/lib/types";

const form: CheckoutForm = {
  email: "ada@example.com",
  phone: "",
  first_name: "Ada",
  last_name: "Reed",
  company: "",
  line1: "12 High Street",
  line2: "",
  city: "Anchorage",
  state: "AK",
  postal_code: "99501",
  delivery: "ship",
  method: "",
  payment: null,
};
const quote: Quote = {
  lines: [],
  changes: [],
  problems: [],
  held_up_by: [],
  subtotal: 1_000,
  units: 1,
  discount: 0,
  promo: null,
  shipping_options: [],
  shipping: null,
  tax: null,
  tax_name: null,
  taxes: [],
  total: null,
  adult_signature: false,
  payment_methods: ["square"],
};
const problems = [{ code: "restricted", id: "v1", message: "Fuel can’t ship to Alaska." }];
const prepare = (
  changes: Partial<CheckoutForm>,
  quoted: Partial<Quote>,
  fresh = true,
  user_id?: string,
  promo_code: string | null = null,
) =>
  prepareOrder({
    form: { ...form, ...changes },
    address: addressOf(form),
    items: [{ id: "v1", qty: 1, price: 1_000 }],
    quoteState: { quote: { ...quote, ...quoted }, fresh, error: null },
    payment: "square",
    promo_code,
    shipping_method: "",
    user_id,
    card: null,
  });

test("what holds an order up is told before what is missing", async () => {
  const told = { kind: "quote", message: "Fuel can’t ship to Alaska.", fields: {} };
  assert.deepEqual(await prepare({}, { problems }), told);
  assert.deepEqual(await prepare({ first_name: "", email: " " }, { problems }), told);
});

test("what is missing is for the server to say, before a card is asked about", async () => {
  const order = await prepare({ first_name: "" }, { total: 1_095 });
  assert.ok("items" in order && order.source_id === "" && order.expected_total === 0);
  assert.deepEqual([order.expected_subtotal, order.expected_units], [1_000, 1]);
});

test("what held an order up before something was changed is no reason", async () => {
  assert.ok("items" in (await prepare({ first_name: "" }, { problems }, false)));
});

test("an order names the account for which the page was shown", async () => {
  const order = await prepare({ first_name: "" }, {}, true, "u1");
  assert.ok("items" in order && order.user_id === "u1");
  const guests = await prepare({ first_name: "" }, {});
  assert.ok("items" in guests && guests.user_id === null);
});

test("a code that is refused is not sent, and does not prevent the order", async () => {
  const message = "This code isn’t valid.";
  const refused = { problems: [{ code: "promo_code", id: null, message }], total: 1_095 };
  const nameless = { first_name: "" };
  const order = await prepare(nameless, refused, true, undefined, "NOSUCH");
  assert.ok("items" in order && order.promo_code === null);
  const taken = { promo: { code: "TEN", label: "10% off" }, total: 1_095 };
  const reduced = await prepare(nameless, taken, true, undefined, "TEN");
  assert.ok("items" in reduced && reduced.promo_code === "TEN");
  const unknown = await prepare(nameless, {}, false, undefined, "TEN");
  assert.ok("items" in unknown && unknown.promo_code === "TEN", "the quote is of another code");
  assert.deepEqual(await prepare({}, refused), { kind: "quote", message, fields: {} }, "a draft’s");
});

test("a ZIP code of another state is for the server to say, which names the field", async () => {
  const problem = {
    code: "address.postal_code",
    id: null,
    message: "That ZIP code isn’t in Ohio.",
  };
  assert.ok("items" in (await prepare({}, { problems: [problem] })));
});
