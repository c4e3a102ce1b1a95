import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { checkoutKey } from "../../app/checkout/checkout-key";
import {
  createPayFlow,
  type FirstCheckout,
  type Order,
  type PayFlow,
  type PayHost,
} from "../../app/checkout/payment-flow";
import { ApiError } from "../../app/lib/api";
import { isRecord } from "../../app/lib/storage";
import type { CheckoutStatus, PayRequest, Problem } from "../../app/lib/types";
import { endCheckout } from "../../app/orders/end-checkout";
import { deferred, memoryStorage, settle } from "./support";

const order: Order = {
  items: [{ id: "v1", qty: 2, price: 500 }],
  email: "ada@example.com",
  payment_method: "square",
  source_id: "cnon:1",
  expected_total: 1_000,
};
const placed: CheckoutStatus = {
  status: "placed",
  number: "N",
  href: "/order-confirmation?order=t",
};
const pending: CheckoutStatus = { status: "pending", number: null, href: null };

function refusal(status: number, code = "", errors: Record<string, string[]> = {}): ApiError {
  const problem = { type: "", title: "", status, detail: `Refused: ${status}`, code, errors };
  return new ApiError(status, problem as Problem);
}
const lost = () => new ApiError(0, null);

type Answer = CheckoutStatus | ApiError | Promise<CheckoutStatus>;

let memory: ReturnType<typeof memoryStorage>;
let shared: ReturnType<typeof memoryStorage>;
let now: number;
let cart: string[];
let paid: PayRequest[];
let asked: string[];
let queries: string[];
let answers: { pay: Answer[]; status: Answer[] };
let ids: number;

beforeEach(() => {
  memory = memoryStorage();
  shared = memoryStorage();
  now = 0;
  cart = ["v1"];
  paid = [];
  asked = [];
  queries = [];
  answers = { pay: [], status: [] };
  ids = 0;
});

async function next(list: Answer[], what: string): Promise<CheckoutStatus> {
  const answer = list.shift();
  assert.ok(answer, `nobody expected another ${what}`);
  if (answer instanceof ApiError) throw answer;
  return answer;
}

function open(first?: FirstCheckout, tab = memory, draft?: string): PayFlow {
  const host: PayHost = {
    storage: tab.storage,
    newId: () => `id-${++ids}`,
    pay(body) {
      paid.push(body);
      return next(answers.pay, "payment");
    },
    status(checkout, query) {
      asked.push(checkout);
      queries.push(query);
      return next(answers.status, "question");
    },
    failure: (error) => (error instanceof ApiError ? error : null),
    pause: () => Promise.resolve(),
    isOnline: () => true,
    shared: shared.storage,
    now: () => now,
    isInCart: (variant) => cart.includes(variant),
  };
  return createPayFlow(host, draft, first);
}

/** The checkout of a tab that is opened now. */
const openInNewTab = (draft?: string) => open(undefined, memoryStorage(), draft);

/** The checkout of a page that shows this account, or a guest. */
const openAs = (by: string | undefined, tab = memory) =>
  open({ id: "new", click: "k", mailed: null, refusal: null, by }, tab);

const click = (flow: PayFlow, given: Order = order) => flow.pay(async () => given);
const refused = (flow: PayFlow) => {
  const state = flow.snapshot();
  assert.equal(state.step, "editing");
  return state.step === "editing" ? state.refusal : null;
};

test("a payment that is taken ends with the order and what was bought", async () => {
  const flow = open();
  answers.pay = [placed];
  await click(flow);
  assert.deepEqual(flow.snapshot(), {
    step: "placed",
    href: placed.href,
    bought: [{ id: "v1", qty: 2 }],
  });
});

test("a double click is one payment, also while the card is being checked", async () => {
  const flow = open();
  const card = deferred<Order>();
  answers.pay = [placed];
  const first = flow.pay(() => card.promise);
  const second = click(flow);
  card.resolve(order);
  await Promise.all([first, second, click(flow)]);
  assert.equal(paid.length, 1);
});

test("a declined card may be followed by another, in the same checkout under another click", async () => {
  const flow = open();
  answers.pay = [refusal(402), placed];
  await click(flow);
  assert.equal(refused(flow)?.kind, "declined");
  await click(flow, { ...order, source_id: "cnon:2" });
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(paid[0]?.checkout_id, paid[1]?.checkout_id);
  assert.notEqual(paid[0]?.click_id, paid[1]?.click_id);
});

test("fields are named, and nothing is asked when the server has spoken", async () => {
  const flow = open();
  answers.pay = [refusal(422, "invalid", { email: ["Enter an address."] })];
  await click(flow);
  assert.deepEqual(refused(flow)?.fields, { email: "Enter an address." });
  assert.equal(asked.length, 0);
});

test("what the card form says is told, and nothing is sent", async () => {
  const flow = open();
  await flow.pay(async () => ({ kind: "form", message: "Enter a card.", fields: {} }));
  assert.equal(refused(flow)?.message, "Enter a card.");
  assert.deepEqual(paid, []);
});

test("a changed total keeps the checkout, one that is over begins another", async () => {
  const flow = open();
  answers.pay = [refusal(409, "total_changed"), refusal(409, "checkout_over"), placed];
  await click(flow);
  assert.equal(refused(flow)?.kind, "changed");
  await click(flow);
  await click(flow);
  const [first, second, third] = paid.map(({ checkout_id }) => checkout_id);
  assert.equal(first, second);
  assert.notEqual(second, third);
});

test("a pending payment is asked about until it is known", async () => {
  const flow = open();
  answers.pay = [pending];
  answers.status = [pending, lost(), refusal(503), pending, placed];
  await click(flow);
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(asked.length, 5);
  assert.equal(paid.length, 1);
});

test("a click that stays pending is sent once more, for another process to take it over", async () => {
  const flow = open();
  answers.pay = [lost(), pending, placed];
  answers.status = [pending, pending, pending, pending, pending, pending, refusal(404)];
  await click(flow);
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(asked.length, 7);
  assert.deepEqual([paid[1], paid[2]], [paid[0], paid[0]]);

  endCheckout(memory.storage);
  paid = [];
  answers.pay = [lost(), placed];
  answers.status = [pending, pending, pending];
  await click(open());
  assert.deepEqual(paid, [paid[0], paid[0]]);
});

test("a pending click outlasts that the shop refuses to be sent it again", async () => {
  for (const status of [401, 403, 422, 429]) {
    const flow = open();
    answers.pay = [lost(), refusal(status)];
    answers.status = [pending, pending, pending, pending, placed];
    await click(flow);
    assert.equal(flow.snapshot().step, "placed", `${status}`);
    endCheckout(memory.storage);
  }
  const flow = open();
  answers.pay = [lost(), refusal(402)];
  answers.status = [pending, pending, pending];
  await click(flow);
  assert.equal(refused(flow)?.kind, "declined");
});

test("a lost answer is asked about, never paid again", async () => {
  for (const failure of [lost(), refusal(500), refusal(503, "timeout"), refusal(408)]) {
    paid = [];
    const flow = open();
    answers.pay = [failure];
    answers.status = [lost(), placed];
    await click(flow);
    assert.equal(flow.snapshot().step, "placed");
    endCheckout(memory.storage);
    assert.equal(paid.length, 1);
  }
});

test("a click that never arrived is sent again as the same click", async () => {
  const flow = open();
  answers.pay = [lost(), lost(), placed];
  answers.status = [lost(), refusal(404), refusal(404)];
  await click(flow);
  assert.equal(flow.snapshot().step, "placed");
  assert.deepEqual(paid[1], paid[0]);
  assert.deepEqual(paid[2], paid[0]);
});

test("when it still does not arrive the shopper decides, and it stays the same click", async () => {
  const flow = open();
  answers.pay = [lost(), lost(), lost(), lost(), placed];
  answers.status = [refusal(404), refusal(404), refusal(404), refusal(404)];
  await click(flow);
  assert.equal(refused(flow)?.kind, "lost");
  await click(flow, { ...order, source_id: "cnon:2" });
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(new Set(paid.map(({ click_id }) => click_id)).size, 1);
});

test("a refusal of an earlier card is not taken for this one's", async () => {
  const flow = open();
  answers.pay = [refusal(402), lost(), placed];
  answers.status = [refusal(402)];
  await click(flow);
  await click(flow, { ...order, source_id: "cnon:2" });
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(paid[2]?.click_id, paid[1]?.click_id);
});

test("after a reload a payment that was on its way is asked about, and nothing is sent", async () => {
  const answer = deferred<CheckoutStatus>();
  answers.pay = [answer.promise];
  void click(open());
  await settle();
  const reloaded = open();
  assert.equal(reloaded.snapshot().step, "checking");
  answers.status = [pending, placed];
  await reloaded.resume();
  assert.deepEqual(reloaded.snapshot(), {
    step: "placed",
    href: placed.href,
    bought: [{ id: "v1", qty: 2 }],
  });
  assert.equal(paid.length, 1);
  assert.deepEqual(new Set(asked), new Set([paid[0]?.checkout_id]));
});

test("after a reload a payment that never arrived leaves the shopper where he was", async () => {
  answers.pay = [deferred<CheckoutStatus>().promise];
  void click(open());
  await settle();
  const reloaded = open();
  answers.status = [refusal(404)];
  await reloaded.resume();
  assert.equal(refused(reloaded)?.kind, "lost");
  answers.pay = [placed];
  await click(reloaded);
  assert.equal(paid[1]?.click_id, paid[0]?.click_id);
  assert.equal(paid[1]?.checkout_id, paid[0]?.checkout_id);
});

test("the order of another tab's cart is not taken for this one's, also after a reload", async () => {
  answers.pay = [lost(), deferred<CheckoutStatus>().promise];
  answers.status = [pending, refusal(409, "checkout_over"), refusal(409, "checkout_over")];
  const items = [...order.items, { id: "v2", qty: 1, price: 100 }];
  const flow = open();
  await click(flow, { ...order, items });
  assert.equal(refused(flow)?.kind, "changed");
  void click(flow);
  await settle();
  const reloaded = open();
  await reloaded.resume();
  assert.equal(refused(reloaded)?.kind, "changed");
  const [first, second] = paid.map(({ click_id }) => `?click_id=${click_id}&expected_total=1000`);
  assert.deepEqual(queries, [
    `${first}&items=v1:2,v2:1`,
    `${first}&items=v1:2,v2:1`,
    `${second}&items=v1:2`,
  ]);
  answers.pay = [placed];
  await click(reloaded);
  assert.equal(new Set(paid.map(({ checkout_id }) => checkout_id)).size, 3);
});

test("an order that was posted without scripts is asked for as what it is", async () => {
  answers.status = [mailed, placed];
  const items = [{ id: "v1", qty: 2 }];
  const mail = { lines: items, total: 700 };
  await open({ id: "c1", click: "k1", mailed: mail, refusal: null, by: undefined }).resume();
  assert.deepEqual([asked[0], queries[1]], ["c1", "?click_id=k1&expected_total=700&items=v1:2"]);
});

test("a payment that is stored without its total is asked about without it", async () => {
  const stored = { id: "c1", click: "k1", bought: [{ id: "v1", qty: 2 }], by: "", until: 1 };
  memory.storage.write(checkoutKey(undefined), stored);
  answers.status = [placed];
  const flow = open();
  await flow.resume();
  assert.equal(flow.snapshot().step, "placed");
  assert.deepEqual([asked, queries], [["c1"], [""]]);
});

test("what a former release has stored, which does not say whose it is, leads to no order", () => {
  const stored = { id: "c1", click: "k1", bought: [{ id: "v1", qty: 2 }] };
  memory.storage.write(checkoutKey(undefined), stored);
  assert.equal(open().snapshot().step, "editing");
  assert.equal(memory.raw.size, 0);
});

test("what an account pays for in a tab is no longer known to who comes after it", async () => {
  const own = { ...order, user_id: "u1" };
  const step = (by?: string) => openAs(by).snapshot().step;
  for (const other of ["u2", undefined]) {
    answers.pay = [deferred<CheckoutStatus>().promise];
    void click(openAs("u1"), own);
    await settle();
    assert.equal(step("u1"), "checking");
    assert.equal(step(other), "editing");
    assert.equal(memory.raw.size, 0);
    assert.equal(step("u1"), "checking", "another tab looks for it");
    assert.equal(openAs(other).checkoutId(), "new");
    shared.raw.clear();
    // Nor is the way to the order.
    answers.pay = [placed];
    await click(openAs("u1"), own);
    assert.equal(step("u1"), "placed");
    assert.equal(step(other), "editing");
    assert.equal(memory.raw.size, 0);
  }
  assert.deepEqual(asked, []);
});

test("a tab that waits for an order does not show it after the account has signed out in another", async () => {
  const first = openAs("u1");
  const link = deferred<CheckoutStatus>();
  answers.pay = [mailed];
  answers.status = [link.promise, link.promise];
  const done = click(first, { ...order, user_id: "u1" });
  await settle();
  const reloaded = openAs("u1");
  const resumed = reloaded.resume();
  assert.deepEqual([first.snapshot().step, reloaded.snapshot().step], ["mailed", "checking"]);
  // As `cart/follow.ts` does it.
  memory.raw.clear();
  link.resolve(placed);
  await Promise.all([done, resumed]);
  for (const flow of [first, reloaded])
    assert.match(refused(flow)?.message ?? "", /^You were signed out\./);
  assert.equal(memory.raw.size, 0);
});

test("nor does one that has found the payment of another tab, or began with the note about the email", async () => {
  const own = { ...order, user_id: "u1" };
  answers.pay = [deferred<CheckoutStatus>().promise];
  void click(openAs("u1"), own);
  await settle();
  const tabs = [memoryStorage(), memoryStorage()] as const;
  const mail = { lines: own.items, total: 1_000 };
  // What a guest was refused there.
  const name = { id: "c0", click: null, bought: null, by: "", until: 1 };
  tabs[0].storage.write("shop.checkout", name);
  const flows = [
    openAs("u1", tabs[0]),
    open({ id: "c1", click: "k1", mailed: mail, refusal: null, by: "u1" }, tabs[1]),
  ];
  assert.deepEqual(
    flows.map((flow) => flow.snapshot().step),
    ["checking", "mailed"],
  );
  const outcome = deferred<CheckoutStatus>();
  answers.status = [outcome.promise, outcome.promise];
  const resumed = flows.map((flow) => flow.resume());
  await settle();
  for (const tab of tabs) {
    assert.equal(tab.storage.read("shop.checkout", isRecord)?.by, "u1", "it says whose it is");
    tab.raw.clear();
  }
  outcome.resolve(placed);
  await Promise.all(resumed);
  for (const [at, flow] of flows.entries()) {
    assert.equal(refused(flow)?.kind, "form");
    assert.equal(tabs[at]?.raw.size, 0);
  }
});

test("whose payment it is says the account for which the page pays", async () => {
  // The page's code was loaded before the sign-in.
  const flow = openAs(undefined);
  answers.pay = [deferred<CheckoutStatus>().promise];
  void click(flow, { ...order, user_id: "u1" });
  await settle();
  shared.raw.clear();
  assert.equal(openAs("u1").snapshot().step, "checking");
  assert.equal(openAs(undefined).snapshot().step, "editing");
});

test("what a guest pays for is looked for after signing in, too", async () => {
  answers.pay = [deferred<CheckoutStatus>().promise];
  void click(openAs(undefined));
  await settle();
  shared.raw.clear();
  assert.equal(openAs("u1").snapshot().step, "checking");
});

test("what is bought anew in a tab is not taken for what it once paid for", async () => {
  const day = 24 * 60 * 60 * 1000;
  for (const user_id of ["u1", null]) {
    answers.pay = [deferred<CheckoutStatus>().promise];
    void click(openAs(user_id ?? undefined), { ...order, user_id });
    await settle();
    now += day - 1;
    assert.equal(openAs(user_id ?? undefined).snapshot().step, "checking");
    now += 1;
    assert.equal(openAs(user_id ?? undefined).snapshot().step, "editing");
    assert.equal(memory.raw.size, 0);
  }
});

test("what an account has bought is not taken out of its cart when that may have the same goods anew", async () => {
  const hour = 60 * 60 * 1000;
  const bought = [{ id: "v1", qty: 2 }];
  for (const [user_id, age, removed] of [
    ["u1", hour - 1, bought],
    ["u1", hour, []],
    [null, hour, bought],
  ] as const) {
    const result = { step: "placed", href: placed.href, bought: removed };
    answers.pay = [deferred<CheckoutStatus>().promise];
    void click(openAs(user_id ?? undefined), { ...order, user_id });
    await settle();
    now += age;
    // A guest who signs in meanwhile has paid as a guest.
    const later = openAs("u1");
    answers.status = [placed];
    await later.resume();
    assert.deepEqual(later.snapshot(), result);
    endCheckout(memory.storage);
    // The same where the page was left on its way to the order.
    answers.pay = [placed];
    await click(openAs(user_id ?? undefined), { ...order, user_id });
    now += age;
    assert.deepEqual(openAs("u1").snapshot(), result);
    endCheckout(memory.storage);
  }
});

test("an account's order that waits for its link is waited for as long as the link is good", async () => {
  answers.pay = [mailed];
  const link = deferred<CheckoutStatus>();
  answers.status = [link.promise];
  void click(openAs("u1"), { ...order, user_id: "u1", payment_method: "pickup", source_id: "" });
  await settle();
  now += 2 * 60 * 60 * 1000;
  const later = openAs("u1");
  assert.equal(later.snapshot().step, "checking");
  answers.status = [mailed, link.promise];
  void later.resume();
  await settle();
  assert.equal(later.snapshot().step, "mailed");
});

test("a checkout keeps its name until it ends, whatever is stored beside it", () => {
  const first = open().checkoutId();
  assert.notEqual(first, "");
  memory.raw.set(checkoutKey(undefined), "{");
  assert.notEqual(open().checkoutId(), "");
});

const mailed: CheckoutStatus = { status: "to_confirm", number: null, href: null };

test("a link that has to be followed is waited for, also after a reload", async () => {
  answers.pay = [mailed];
  const link = deferred<CheckoutStatus>();
  answers.status = [mailed, link.promise];
  const flow = open();
  const done = click(flow);
  await settle();
  assert.deepEqual(flow.snapshot(), { step: "mailed" });
  answers.status.push(mailed, placed);
  const reloaded = open();
  await reloaded.resume();
  assert.equal(reloaded.snapshot().step, "placed");
  link.resolve(placed);
  await done;
  const state = flow.snapshot();
  assert.deepEqual(state.step === "placed" && state.bought, [{ id: "v1", qty: 2 }]);
});

test("who goes back to the form orders with another click in the same checkout", async () => {
  answers.pay = [mailed, placed];
  const late = deferred<CheckoutStatus>();
  answers.status = [late.promise];
  const flow = open();
  const first = click(flow);
  await settle();
  flow.edit();
  assert.deepEqual(flow.snapshot(), { step: "editing", refusal: null });
  late.resolve(mailed);
  await first;
  assert.equal(flow.snapshot().step, "editing", "an answer that comes late changes nothing");
  await click(flow);
  assert.equal(flow.snapshot().step, "placed");
  assert.equal(paid[0]?.checkout_id, paid[1]?.checkout_id);
  assert.notEqual(paid[0]?.click_id, paid[1]?.click_id);
});

test("a refusal can be forgotten without another click, and a payment that is on its way cannot", async () => {
  const flow = open();
  const answer = deferred<CheckoutStatus>();
  answers.pay = [refusal(403), answer.promise];
  await click(flow);
  assert.equal(refused(flow)?.kind, "age");
  flow.forgetRefusal();
  assert.equal(refused(flow), null);
  const paying = click(flow);
  flow.forgetRefusal();
  assert.equal(flow.snapshot().step, "paying");
  answer.resolve(placed);
  await paying;
  assert.equal(flow.snapshot().step, "placed");
});

test("a link that was not followed in time leads back to the form", async () => {
  answers.pay = [mailed];
  answers.status = [mailed, refusal(409, "not_confirmed")];
  const flow = open();
  await click(flow);
  assert.equal(refused(flow)?.message, "Refused: 409");
  answers.pay = [mailed];
  answers.status = [refusal(404)];
  await click(flow);
  assert.match(refused(flow)?.message ?? "", /wasn’t confirmed in time/);
  assert.notEqual(paid[0]?.click_id, paid[1]?.click_id);
});

test("a link that another page's declined card replaced leads back to the form", async () => {
  answers.pay = [mailed, placed];
  answers.status = [mailed, refusal(402, "declined")];
  const flow = open();
  await click(flow);
  assert.match(refused(flow)?.message ?? "", /on another page/);
  await click(flow);
  assert.equal(flow.snapshot().step, "placed");
  assert.notEqual(paid[0]?.click_id, paid[1]?.click_id);
});

test("a reload on the way to the confirmation goes there, and takes what was bought out of the cart once", async () => {
  answers.pay = [placed];
  await click(open());
  const reloaded = open();
  const bought = [{ id: "v1", qty: 2 }];
  assert.deepEqual(reloaded.snapshot(), { step: "placed", href: placed.href, bought });
  reloaded.cartCleared();
  const again = open();
  assert.deepEqual(again.snapshot(), { step: "placed", href: placed.href, bought: [] });
  endCheckout(memory.storage);
  assert.equal(memory.raw.has(checkoutKey(undefined)), false);
  assert.equal(open().snapshot().step, "editing");
});

/** Pays in a tab that is closed before there is an answer. */
async function clickAndClose(given: Order = order, draft?: string): Promise<void> {
  answers.pay.unshift(deferred<CheckoutStatus>().promise);
  void click(openInNewTab(draft), given);
  await settle();
}

test("a payment whose tab was closed is asked about by the next one, and not made again", async () => {
  await clickAndClose();
  const later = openInNewTab();
  assert.equal(later.snapshot().step, "checking");
  answers.status = [pending, placed];
  await later.resume();
  const bought = [{ id: "v1", qty: 2 }];
  assert.deepEqual(later.snapshot(), { step: "placed", href: placed.href, bought });
  assert.deepEqual([asked[0], paid.length], [paid[0]?.checkout_id, 1]);
  assert.equal(queries[0], `?click_id=${paid[0]?.click_id}&expected_total=1000&items=v1:2`);
  // The same goods again, on purpose.
  answers.pay = [placed];
  const again = openInNewTab();
  assert.equal(again.snapshot().step, "editing");
  await click(again);
  assert.notEqual(paid[1]?.checkout_id, paid[0]?.checkout_id);
  assert.equal(shared.raw.size, 0);
});

test("after a payment that its tab did not hear is refused, another follows in the same checkout", async () => {
  await clickAndClose();
  answers.status = [refusal(402)];
  const later = openInNewTab();
  await later.resume();
  assert.equal(refused(later)?.kind, "declined");
  assert.equal(openInNewTab().snapshot().step, "editing", "everybody knows it now");
  answers.pay = [placed];
  await click(later, { ...order, source_id: "cnon:2" });
  assert.equal(paid[1]?.checkout_id, paid[0]?.checkout_id);
  assert.notEqual(paid[1]?.click_id, paid[0]?.click_id);

  // One that never arrived is still the same click.
  await clickAndClose();
  answers.status = [refusal(404)];
  const last = openInNewTab();
  await last.resume();
  assert.equal(refused(last)?.kind, "lost");
  assert.equal(openInNewTab().snapshot().step, "checking", "it may still be on its way");
  answers.pay = [placed];
  await click(last);
  assert.equal(paid[3]?.click_id, paid[2]?.click_id);
  assert.equal(shared.raw.size, 0);
});

test("other tabs look for what a card pays for, for a while, as long as some of it is in the cart", async () => {
  const step = (flow: PayFlow) => flow.snapshot().step;
  await clickAndClose({ ...order, payment_method: "pickup", source_id: "" });
  assert.equal(step(openInNewTab()), "editing", "it waits for its email");
  await clickAndClose(order, "draft");
  assert.equal(shared.raw.size, 0);
  assert.equal(step(openInNewTab()), "editing", "what a draft order sells is not out of the cart");
  await clickAndClose();
  assert.equal(step(openInNewTab("draft")), "editing", "a draft order has its own checkout");
  cart = ["v2"];
  assert.equal(step(openInNewTab()), "editing", "another cart");
  cart = ["v1", "v2"];
  assert.equal(step(openInNewTab()), "checking");
  const hour = 60 * 60 * 1000;
  now = 24 * hour - 1;
  assert.equal(step(openInNewTab()), "checking");
  now = 24 * hour;
  assert.equal(step(openInNewTab()), "editing", "a day later");
  await clickAndClose({ ...order, user_id: "u1" });
  const openAsUser = () => openAs("u1", memoryStorage());
  now += hour - 1;
  assert.equal(step(openAsUser()), "checking");
  assert.equal(step(openInNewTab()), "editing", "a guest's page does not lead to it");
  now += 1;
  assert.equal(step(openAsUser()), "editing", "the server has emptied the account's cart");
});

test("a tab that was open before pays in the checkout in which another one does", async () => {
  const before = openInNewTab();
  await clickAndClose();
  answers.pay = [refusal(409, "checkout_over"), placed];
  answers.status = [placed];
  await click(before);
  assert.equal(queries[0], `?click_id=${paid[0]?.click_id}&expected_total=1000&items=v1:2`);
  assert.equal(paid[1]?.checkout_id, paid[0]?.checkout_id);
  assert.notEqual(paid[1]?.click_id, paid[0]?.click_id);
  assert.equal(refused(before)?.kind, "changed");
  await click(before);
  assert.notEqual(paid[2]?.checkout_id, paid[0]?.checkout_id);
});

test("a tab that was open before pays in its own checkout when the other payment has ended", async () => {
  for (const ended of [refusal(402), refusal(409, "payment_ended")]) {
    paid = [];
    const before = openInNewTab();
    const own = before.checkoutId();
    await clickAndClose();
    answers.pay = [lost()];
    const question = deferred<CheckoutStatus>();
    answers.status = [ended, question.promise];
    const done = click(before);
    await settle();
    assert.deepEqual([paid[1]?.checkout_id, before.checkoutId()], [own, own]);
    assert.equal(openInNewTab().checkoutId(), own, "now this one is looked for");
    question.resolve(placed);
    await done;
    assert.equal(shared.raw.size, 0);
  }
});

test("a payment is looked for until its own outcome is known, whatever other tabs are told", async () => {
  const before = openInNewTab();
  await clickAndClose();
  answers.pay = [refusal(409, "payment_open")];
  answers.status = [pending];
  await click(before, { ...order, expected_total: 2_000 });
  assert.equal(refused(before)?.kind, "changed");
  const later = openInNewTab();
  assert.equal(later.snapshot().step, "checking");
  answers.status = [placed];
  await later.resume();
  assert.equal(queries[1], `?click_id=${paid[0]?.click_id}&expected_total=1000&items=v1:2`);
  assert.equal(shared.raw.size, 0);

  const broken = openInNewTab();
  answers.pay = [Promise.reject(new Error("broken"))];
  await assert.rejects(click(broken), /broken/);
  assert.equal(refused(broken)?.kind, "lost");
  assert.equal(openInNewTab().snapshot().step, "checking");
});

test("an order for pickup in the checkout of a card's payment ends the search for that one", async () => {
  for (const answer of [placed, mailed]) {
    const before = openInNewTab();
    await clickAndClose();
    const link = deferred<CheckoutStatus>();
    answers.pay = [answer];
    answers.status = [refusal(404), link.promise];
    void click(before, { ...order, payment_method: "pickup", source_id: "" });
    await settle();
    assert.equal(before.snapshot().step, answer === placed ? "placed" : "mailed");
    assert.equal(shared.raw.size, 0);
  }
});

test("what another tab bought for an account is not taken out of its cart again", async () => {
  const own = { ...order, user_id: "u1" };
  const result = { step: "placed", href: placed.href, bought: [] };
  const before = openInNewTab();
  await clickAndClose(own);
  const later = openAs("u1", memoryStorage());
  answers.status = [placed];
  await later.resume();
  assert.deepEqual(later.snapshot(), result);
  await clickAndClose(own);
  answers.pay = [placed];
  answers.status = [placed];
  await click(before, own);
  assert.deepEqual(before.snapshot(), result);
});

test("the page of an earlier order leaves a payment that is on its way", async () => {
  answers.pay = [deferred<CheckoutStatus>().promise];
  void click(open());
  await settle();
  endCheckout(memory.storage);
  assert.equal(open().snapshot().step, "checking");
});
