// What is left of an account in a browser after a sign-out.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { follow } from "../../app/cart/follow";
import { CART_KEY, cartState, changeCart, GUEST_KEY, SYNC_KEY } from "../../app/lib/cart";
import { addNotes } from "../../app/lib/cart-notes";
import { promoCode, setPromoCode } from "../../app/lib/promo";
import { defineStorage } from "./support";

const FORM = "shop.checkout.form";
const calls: string[] = [];
/** What was sent with the last call. */
let lastBody: unknown;
/** How the server answers a guest's call. */
let statusForGuests = 200;
let areas: ReturnType<typeof defineStorage>;

/** A window, and a server on which every cart is empty. */
before(() => {
  const events = new EventTarget();
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true });
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const)
    define(name, events[name].bind(events));
  const page = { cookie: "", visibilityState: "visible", getElementById: () => null };
  define("document", Object.assign(new EventTarget(), page));
  define("navigator", { onLine: true });
  define("location", { pathname: "/checkout" });
  define("fetch", (path: string, init?: RequestInit) => {
    calls.push(path);
    lastBody = init?.body && JSON.parse(String(init.body));
    const cart = { items: [], promo_code: null, updated_at: 1, changes: [] };
    const status = path === "/api/cart/guest" ? statusForGuests : 200;
    return Promise.resolve(new Response(JSON.stringify(cart), { status }));
  });
});

beforeEach(() => {
  areas = defineStorage();
  calls.splice(0);
  const entries = {
    [FORM]: "u1",
    [`${FORM}.D-1`]: "u1",
    [`${FORM}.D-2`]: "",
    // What was being paid for, in the cart's checkout and in a draft order's.
    "shop.checkout": "u1",
    "shop.checkout.c1": "u1",
  };
  for (const [key, by] of Object.entries(entries))
    areas.session.setItem(key, JSON.stringify({ email: "iris@shop.example", by }));
});

const record = () =>
  JSON.stringify({ user: "u1", base: [], sent: null, promo: null, at: Date.now() });
const notes = () => JSON.parse(String(areas.local.getItem("shop.cart.notes"))).messages;
const kept = () => Object.keys(areas.session).toSorted();
const rest = () => new Promise((resolve) => setTimeout(resolve, 600));

test("a page of a guest removes what an account has left, and nothing that a guest entered", async () => {
  areas.local.setItem(SYNC_KEY, record());
  areas.local.setItem("shop.paying", "{}");
  await follow();
  assert.equal(areas.local.getItem(SYNC_KEY), null);
  assert.equal(areas.local.getItem("shop.paying"), null, "it leads to the account's order");
  assert.deepEqual(kept(), [`${FORM}.D-2`]);
});

test("a page of a guest that is older than a sign-in removes nothing of the account", async () => {
  await follow("u2");
  await rest();
  const items = [{ id: "v1", qty: 1, price: 600 }];
  areas.local.setItem(CART_KEY, JSON.stringify({ items, timestamp: Date.now() }));
  const base = [{ id: "v1", qty: 1, saved: false }];
  areas.local.setItem(SYNC_KEY, JSON.stringify({ ...JSON.parse(record()), base }));
  const before = { ...areas.local };
  // An error says nothing about who is signed in.
  for (const status of [503, 409]) {
    statusForGuests = status;
    await follow();
    assert.deepEqual({ ...areas.local }, before, `${status}`);
    assert.equal(kept().length, 5, `${status}`);
  }
  statusForGuests = 200;
  // Once the sign-in has ended, the next change asks again.
  await follow();
  assert.equal(areas.local.getItem(CART_KEY), null);
  assert.equal(areas.local.getItem(SYNC_KEY), null);
});

test("a sign-out in another tab ends the sync, which leaves nothing behind", async () => {
  areas.local.setItem(SYNC_KEY, record());
  follow("u1");
  await rest();
  calls.splice(0);
  addNotes(["the account's"]);
  areas.local.removeItem(SYNC_KEY);
  dispatchEvent(Object.assign(new Event("storage"), { key: SYNC_KEY, newValue: null }));
  changeCart(() => []);
  setPromoCode("WELCOME10");
  await rest();
  assert.deepEqual(calls, []);
  assert.equal(areas.local.getItem(SYNC_KEY), null);
  assert.deepEqual(kept(), [`${FORM}.D-2`]);
  addNotes(["the guest's"]);
  assert.deepEqual(notes(), ["the guest's"]);
  follow();
  assert.equal(promoCode(), "WELCOME10", "the guest's code stays");
});

test("an admin page, which stays after a sign-out in another tab, leaves the guest's cart alone", async (context) => {
  const at = (pathname: string) =>
    Object.defineProperty(globalThis, "location", { value: { pathname }, configurable: true });
  at("/admin/orders");
  context.after(() => at("/checkout"));
  areas.local.setItem(SYNC_KEY, record());
  follow("u1");
  await rest();
  calls.splice(0);
  areas.local.removeItem(SYNC_KEY);
  dispatchEvent(Object.assign(new Event("storage"), { key: SYNC_KEY, newValue: null }));
  await rest();
  // The guest's tab changes the cart, and this page still shows the account.
  areas.local.setItem(GUEST_KEY, record());
  follow("u1");
  await rest();
  assert.deepEqual(calls, []);
  assert.notEqual(areas.local.getItem(GUEST_KEY), null);
  follow();
});

test("the account's page, which would ask for a sign-in, is left after a sign-out in another tab", async (context) => {
  const left: string[] = [];
  const at = (value: object) =>
    Object.defineProperty(globalThis, "location", { value, configurable: true });
  at({ pathname: "/account", replace: (to: string) => left.push(to) });
  context.after(() => at({ pathname: "/checkout" }));
  // First somebody else has signed in since.
  for (const [status, expected] of [
    [409, []],
    [200, ["/"]],
  ] as const) {
    statusForGuests = status;
    areas.local.setItem(SYNC_KEY, record());
    follow("u1");
    await rest();
    calls.splice(0);
    areas.local.removeItem(SYNC_KEY);
    dispatchEvent(Object.assign(new Event("storage"), { key: SYNC_KEY, newValue: null }));
    await rest();
    assert.deepEqual(calls, ["/api/cart/guest"], `${status}`);
    assert.deepEqual(left, expected, `${status}`);
  }
  follow();
});

test("another account gets nothing of the account before it, but what a guest added", async () => {
  const items = ["v1", "v2"].map((id) => ({ id, qty: 1, price: 600 }));
  areas.local.setItem(CART_KEY, JSON.stringify({ items, timestamp: Date.now() }));
  const base = [{ id: "v1", qty: 1, saved: false }];
  areas.local.setItem(SYNC_KEY, JSON.stringify({ ...JSON.parse(record()), base }));
  setPromoCode("WELCOME10");
  follow("u2");
  assert.deepEqual(
    cartState().items.map(({ id }) => id),
    ["v2"],
  );
  assert.equal(promoCode(), null);
  assert.deepEqual(kept(), [`${FORM}.D-2`]);
  await rest();
  await follow();
});

test("a guest's browser that only looks leaves the cookie's code alone", async (context) => {
  const at = (cookie: string) => Object.assign(document, { cookie });
  context.after(() => at(""));
  const lines = [{ id: "v1", qty: 1, price: 600, saved: false }];
  for (const [cookie, sent] of [
    ["cart=new", null],
    // It has expired, and is written anew.
    ["", "WELCOME10"],
  ] as const) {
    await follow("u2");
    await rest();
    areas.local.removeItem(SYNC_KEY);
    at(cookie);
    areas.local.setItem(CART_KEY, JSON.stringify({ items: lines, timestamp: Date.now() }));
    areas.local.setItem("shop.promo", JSON.stringify("WELCOME10"));
    const own = { user: "guest", base: lines, promo: "WELCOME10", cookie: "old" };
    areas.local.setItem(GUEST_KEY, JSON.stringify({ ...JSON.parse(record()), ...own }));
    calls.splice(0);
    await follow();
    await rest();
    assert.deepEqual(calls, ["/api/cart/guest"], cookie);
    assert.deepEqual(lastBody, { items: lines, base: lines, promo_code: sent, keeps_code: true });
    assert.equal(promoCode(), null, "as the server says");
  }
});

test("a code that storage does not take lasts as long as the page", async () => {
  areas.local.setItem = () => {
    throw new Error("full");
  };
  setPromoCode("welcome10");
  assert.equal(promoCode(), "WELCOME10");
  setPromoCode(null);
  assert.equal(promoCode(), null);
  // One that is stored is removed.
  areas = defineStorage();
  setPromoCode("welcome10");
  setPromoCode(null);
  assert.equal(promoCode(), null);
  assert.equal(areas.local.getItem("shop.promo"), null);
  await rest();
});
