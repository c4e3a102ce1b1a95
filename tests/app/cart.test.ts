import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setLimits, setQuantity } from "../../app/cart/edits";
import { CART_KEY, type CartItem, type CartStore, createCartStore } from "../../app/lib/cart";
import { memoryStorage } from "./support";

const DAY_MS = 24 * 60 * 60 * 1000;

const rack: Omit<CartItem, "qty"> = {
  id: "v1",
  price: 4_900,
  title: "Walnut pipe rack",
  variant: "6 pipes",
  sku: "RACK-6",
  href: "/product/rack",
  picture: { src: "/images/rack", alt: "A rack", width: 1280, height: 1280 },
  max_quantity: 5,
  compare_at_price: null,
};
const tamper = { ...rack, id: "v2", sku: "TAMPER", price: 1_250 };

let now = 0;
let memory: ReturnType<typeof memoryStorage>;
let acts: string[] = [];
let cart: CartStore;

const open = () =>
  createCartStore(
    memory.storage,
    () => now,
    (action, id) => acts.push(`${action} ${id}`),
  );
const quantities = (store = cart) => store.snapshot().items.map(({ id, qty }) => [id, qty]);

beforeEach(() => {
  now = 1_000_000;
  acts = [];
  memory = memoryStorage();
  cart = open();
});

test("an empty cart is known to be empty", () => {
  assert.deepEqual(cart.snapshot(), { items: [], count: 0, ready: true });
});

test("items are kept, counted in pieces, and found by the next visit", () => {
  cart.addItem(rack, 2);
  cart.addItem(tamper);
  assert.equal(cart.snapshot().count, 3);
  assert.deepEqual(quantities(open()), [
    ["v1", 2],
    ["v2", 1],
  ]);
});

test("what is sold out stays in the cart and is not counted", () => {
  cart.addItem(rack, 2);
  cart.addItem(tamper);
  setLimits(cart, [{ id: "v1", max_quantity: 0 }]);
  assert.equal(cart.snapshot().count, 1);
  assert.equal(quantities().length, 2);
  setLimits(cart, [{ id: "v1", max_quantity: 5 }]);
  assert.equal(cart.snapshot().count, 3);
});

test("adding again adds up, to no more than may be ordered", () => {
  assert.equal(cart.addItem(rack, 3), 3);
  assert.equal(cart.addItem(rack, 3), 2);
  assert.equal(cart.addItem(rack, 3), 0);
  assert.deepEqual(quantities(), [["v1", 5]]);
  cart.addItem({ ...tamper, max_quantity: 0 });
  cart.addItem(tamper, -1);
  assert.deepEqual(quantities(), [["v1", 5]]);
});

test("adding takes nothing away, though the page that adds knows of fewer", () => {
  cart.addItem(rack, 3);
  acts = [];
  assert.equal(cart.addItem({ ...rack, max_quantity: 2 }), 0);
  assert.deepEqual(quantities(), [["v1", 3]]);
  assert.deepEqual(acts, []);
});

test("a full cart takes no other line, and saved ones count", () => {
  for (let at = 0; at < 100; at += 1) cart.addItem({ ...rack, id: `full-${at}` });
  cart.change((items) => items.map((item) => ({ ...item, saved: item.id !== "full-0" })));
  acts = [];
  assert.equal(cart.addItem(tamper), null);
  assert.equal(cart.snapshot().items.length, 100);
  assert.deepEqual(acts, []);
  assert.equal(cart.addItem({ ...rack, id: "full-0" }), 1);
  cart.removeItem("full-1");
  assert.equal(cart.addItem(tamper), 1);
});

test("other fields stay as they were given", () => {
  cart.addItem({ ...rack, engraving: "J. B." } as typeof rack);
  setQuantity(cart, "v1", 4);
  assert.deepEqual(open().snapshot().items[0], { ...rack, engraving: "J. B.", qty: 4 });
});

test("a cart of ids, prices and quantities alone survives, with whatever else was stored", () => {
  const bare = { id: "v9", price: 700, qty: 2 };
  const given = { id: "v8", note: "gift", price: 900, title: "Lighter", qty: 1 };
  memory.raw.set(CART_KEY, JSON.stringify({ items: [bare, given], timestamp: now }));
  assert.equal(cart.snapshot().count, 3);
  const [first, second] = cart.snapshot().items;
  assert.deepEqual({ ...first, ...bare }, first);
  assert.deepEqual({ ...second, ...given }, second);
  for (const line of cart.snapshot().items) assert.ok(line.title && line.href && line.max_quantity);
  const before = cart.snapshot();
  cart.resync();
  assert.equal(cart.snapshot(), before);
  setQuantity(cart, "v9", 3);
  const [kept, other] = open().snapshot().items;
  assert.deepEqual([kept?.qty, kept?.price], [3, 700]);
  assert.deepEqual({ ...other, ...given }, other);
});

test("a quantity above 0 is set, exactly 0 removes, anything else is ignored", () => {
  cart.addItem(rack, 2);
  setQuantity(cart, "v1", 4);
  assert.deepEqual(quantities(), [["v1", 4]]);
  for (const ignored of [-1, -0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    setQuantity(cart, "v1", ignored);
    assert.deepEqual(quantities(), [["v1", 4]], `${ignored}`);
  }
  setQuantity(cart, "v1", 99);
  assert.deepEqual(quantities(), [["v1", 5]]);
  setQuantity(cart, "nobody", 1);
  assert.deepEqual(quantities(), [["v1", 5]]);
  setQuantity(cart, "v1", 0);
  assert.deepEqual(quantities(), []);
  assert.equal(memory.raw.size, 0);
});

test("adding what is saved for later adds the saved quantity, too", () => {
  cart.addItem(rack, 2);
  cart.change((items) => items.map((item) => ({ ...item, saved: true })));
  assert.equal(cart.addItem(rack), 3);
  assert.equal(cart.snapshot().count, 3);
});

test("what may be ordered changes with the stock", () => {
  cart.addItem({ ...rack, max_quantity: 2 }, 2);
  setLimits(cart, [rack, tamper]);
  assert.deepEqual(quantities(), [["v1", 2]]);
  const before = cart.snapshot();
  setLimits(cart, [rack]);
  assert.equal(cart.snapshot(), before);
  setQuantity(cart, "v1", 4);
  assert.deepEqual(quantities(open()), [["v1", 4]]);
});

test("what a shopper does is told once, and only when it changes something", () => {
  cart.addItem(rack, 2);
  cart.addItem(rack, 9);
  cart.addItem(rack);
  cart.addItem({ ...tamper, max_quantity: 0 });
  setQuantity(cart, "v1", 3);
  setQuantity(cart, "v1", 3);
  setQuantity(cart, "v1", -1);
  setQuantity(cart, "nobody", 2);
  setQuantity(cart, "v1", 0);
  cart.removeItem("v1");
  cart.addItem(tamper);
  cart.change(() => []);
  cart.resync();
  assert.deepEqual(acts, ["add v1", "add v1", "quantity v1", "remove v1", "add v2"]);
});

test("a cart expires 7 days after its last change", () => {
  cart.addItem(rack);
  now += 6 * DAY_MS;
  cart.addItem(tamper);
  now += 7 * DAY_MS - 1;
  assert.equal(open().snapshot().count, 2);
  now += 1;
  assert.equal(open().snapshot().count, 0);
  assert.equal(memory.raw.has(CART_KEY), false);
});

test("corrupt storage is ignored and reset", () => {
  const good = { ...rack, qty: 1 };
  for (const corrupt of [
    "{",
    "null",
    "[]",
    JSON.stringify({ items: {}, timestamp: now }),
    JSON.stringify({ items: [good] }),
    JSON.stringify({ items: [good, null], timestamp: now }),
    JSON.stringify({ items: [{ ...good, qty: -3 }], timestamp: now }),
    JSON.stringify({ items: [{ ...good, price: "4900" }], timestamp: now }),
    JSON.stringify({ items: [{ price: 4_900, qty: 1 }], timestamp: now }),
    JSON.stringify({ items: [{ ...good, picture: "rack.png" }], timestamp: now }),
    JSON.stringify({ items: [{ ...good, title: null }], timestamp: now }),
  ]) {
    memory.raw.set(CART_KEY, corrupt);
    assert.equal(open().snapshot().count, 0, corrupt);
    assert.equal(memory.raw.has(CART_KEY), false, corrupt);
  }
});

test("the snapshot is the same object until something changes", () => {
  cart.addItem(rack);
  const before = cart.snapshot();
  let told = 0;
  cart.subscribe(() => told++);
  setQuantity(cart, "v1", 1);
  cart.removeItem("nobody");
  cart.resync();
  assert.equal(cart.snapshot(), before);
  assert.equal(told, 0);
  setQuantity(cart, "v1", 2);
  assert.notEqual(cart.snapshot(), before);
  assert.equal(told, 1);
});

test("what another tab has written is seen, and not overwritten", () => {
  cart.addItem(rack);
  const other = open();
  other.addItem(tamper);
  cart.addItem(rack);
  assert.deepEqual(quantities(), [
    ["v1", 2],
    ["v2", 1],
  ]);
  other.resync();
  assert.deepEqual(quantities(other), quantities());
  other.change(() => []);
  cart.resync();
  assert.deepEqual(quantities(), []);
});

test("without storage the cart still works for this page", () => {
  const forbidden = createCartStore(
    { read: () => null, write: () => false, remove: () => {} },
    () => now,
  );
  forbidden.addItem(rack, 2);
  assert.equal(forbidden.snapshot().count, 2);
  forbidden.addItem(tamper);
  assert.equal(forbidden.snapshot().count, 3);
});
