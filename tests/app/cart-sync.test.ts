import assert from "node:assert/strict";
import { test } from "node:test";
import { setQuantity } from "../../app/cart/edits";
import { SYNC_KEY } from "../../app/lib/cart";
import { lineStates } from "../../app/lib/cart-record";
import { unsyncedItems } from "../../app/lib/cart-sync";
import { jsonStorage } from "../../app/lib/storage";
import { account, device, item, quantities } from "./cart-devices";
import { deferred, memoryStorage } from "./support";

test("a guest's cart joins the account's without loss or doubling", async () => {
  const server = account();
  server.sync({ items: [{ id: "a", qty: 2 }] });
  const phone = device(server);
  phone.cart.addItem(item("a"), 1);
  phone.cart.addItem(item("b"), 3);
  await phone.sync.start();
  assert.equal(phone.has(), "a:2 b:3");
  assert.equal(quantities(server.items()), "a:2 b:3");
  // The next page and the next sign-in change nothing.
  const again = device(server, "u1", phone.memory);
  await again.sync.start();
  assert.equal(again.has(), "a:2 b:3");
  assert.equal(quantities(server.items()), "a:2 b:3");
});

test("fields that the server does not know stay with their line", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem({ ...item("a"), engraving: "J. B." } as ReturnType<typeof item>);
  await phone.sync.start();
  setQuantity(phone.cart, "a", 2);
  await phone.rest();
  assert.equal(quantities(server.items()), "a:2");
  const [line] = phone.cart.snapshot().items;
  assert.deepEqual({ ...line, engraving: "J. B.", price: 500 }, line);
});

test("a line that is brought back while its removal is sent is where it was", async () => {
  const server = account();
  const phone = device(server);
  for (const id of ["a", "b", "c"]) phone.cart.addItem(item(id));
  await phone.sync.start();
  for (const id of ["a", "b", "c"]) {
    const { items } = phone.cart.snapshot();
    const sent = deferred<void>();
    phone.hold(sent.promise);
    phone.cart.removeItem(id);
    await phone.rest();
    phone.cart.change(() => items);
    sent.resolve();
    await phone.rest();
    for (const lines of [phone.cart.snapshot().items, server.items()])
      assert.deepEqual(
        lines.map((line) => line.id),
        ["a", "b", "c"],
      );
  }
});

test("a change before the first merge was answered stays", async () => {
  for (const fault of ["before", "after"] as const) {
    const server = account();
    server.sync({ items: [{ id: "d", qty: 2 }] });
    const phone = device(server);
    for (const id of ["a", "b", "c"]) phone.cart.addItem(item(id), 3);
    phone.faults.push(fault);
    await phone.sync.start();
    const next = device(server, "u1", phone.memory);
    next.cart.removeItem("a");
    setQuantity(next.cart, "b", 1);
    // This answer is lost, too.
    next.faults.push("after");
    await next.sync.start();
    assert.equal(next.has(), "b:1 c:3", fault);
    await next.look();
    assert.equal(next.has(), "b:1 c:3 d:2", fault);
    assert.equal(quantities(server.items()), "b:1 c:3 d:2", fault);
  }
});

test("an account keeps its code although answers to the first merge were lost", async () => {
  for (const lost of [0, 1]) {
    const server = account();
    server.sync({ items: [], promo_code: "WELCOME10" });
    const phone = device(server);
    phone.cart.addItem(item("a"));
    phone.faults.push("after");
    await phone.sync.start();
    const next = device(server, "u1", phone.memory);
    if (lost) setQuantity(next.cart, "a", 2);
    for (let time = 0; time < lost; time += 1) next.faults.push("after");
    await next.sync.start();
    await next.look();
    assert.equal(next.promo(), "WELCOME10", `${lost}`);
    // From now on it can be removed here.
    next.enter(null);
    await next.rest();
    assert.equal(server.get().promo_code, null, `${lost}`);
  }
});

test("two devices end with the same cart", async () => {
  const server = account();
  const [phone, laptop] = [device(server), device(server)];
  await phone.sync.start();
  await laptop.sync.start();
  phone.cart.addItem(item("a"), 2);
  await phone.rest();
  laptop.cart.addItem(item("b"));
  await laptop.rest();
  await phone.look();
  assert.equal(phone.has(), "a:2 b:1");
  phone.cart.removeItem("b");
  await phone.rest();
  await laptop.look();
  assert.equal(laptop.has(), "a:2");
});

test("changes in a row go up together, one call at a time, the latest wins", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  const before = phone.calls();
  for (const qty of [1, 2, 3]) phone.cart.addItem(item("a"), qty);
  assert.equal(phone.calls(), before);
  const answer = deferred<void>();
  phone.hold(answer.promise);
  await phone.rest();
  // During the first request.
  setQuantity(phone.cart, "a", 9);
  phone.cart.addItem(item("b"));
  await phone.rest();
  answer.resolve();
  await phone.rest();
  assert.equal(phone.calls(), before + 2);
  assert.equal(phone.most(), 1);
  assert.equal(phone.has(), "a:9 b:1");
  assert.equal(quantities(server.items()), "a:9 b:1");
});

test("a cart that was filled offline goes up when the connection is back, quietly", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  phone.connect(false);
  phone.cart.addItem(item("a"));
  await phone.rest();
  assert.deepEqual(phone.log, []);
  assert.equal(phone.has(), "a:1");
  phone.connect(true);
  phone.sync.returned();
  await phone.rest();
  assert.equal(quantities(server.items()), "a:1");
});

test("a failure is logged when there is a connection, and the next change tries again", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  phone.faults.push("before");
  phone.cart.addItem(item("a"));
  await phone.rest();
  assert.equal(phone.log.length, 1);
  assert.equal(quantities(server.items()), "", "not before");
  phone.cart.addItem(item("b"));
  await phone.rest();
  assert.equal(quantities(server.items()), "a:1 b:1");
});

test("what changes during a call that fails goes up after it, without another change", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  phone.faults.push("before");
  const answer = deferred<void>();
  phone.hold(answer.promise);
  phone.cart.addItem(item("a"));
  await phone.rest();
  phone.cart.addItem(item("b"));
  await phone.rest();
  answer.resolve();
  await phone.rest();
  assert.equal(phone.log.length, 1);
  assert.equal(quantities(server.items()), "a:1 b:1");
});

test("a session that is over ends it without a word", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  phone.refuse(401);
  phone.cart.addItem(item("a"));
  await phone.rest();
  const calls = phone.calls();
  phone.cart.addItem(item("b"));
  await phone.look();
  assert.equal(phone.calls(), calls);
  assert.deepEqual(phone.log, []);
});

test("a session that is over before the first merge leaves no record", async () => {
  const server = account();
  const phone = device(server);
  phone.refuse(401);
  phone.cart.addItem(item("a"));
  await phone.sync.start();
  assert.equal(phone.memory.raw.has(SYNC_KEY), false);
  // After the merge it tells the next page what is the account's.
  const other = device(server);
  await other.sync.start();
  other.refuse(401);
  other.cart.addItem(item("a"));
  await other.rest();
  assert.equal(other.memory.raw.has(SYNC_KEY), true);
});

test("where nothing can be stored, a sync ends, and the next change starts another", async () => {
  const areas = [
    () => null,
    () => {
      const full = () => {
        throw new Error("full");
      };
      return { getItem: () => null, setItem: full, removeItem() {} } as unknown as Storage;
    },
  ];
  for (const area of areas) {
    const server = account();
    const phone = device(server, "u1", { raw: new Map(), storage: jsonStorage(area) });
    await phone.sync.start();
    phone.cart.addItem(item("a"));
    await phone.rest();
    assert.equal(phone.calls(), 2);
    await phone.rest();
    phone.sync.returned();
    await phone.rest();
    assert.equal(phone.calls(), 2);
    assert.equal(quantities(server.items()), "a:1");
  }
});

test("a change that is taken back while an answer is lost stays taken back", async () => {
  for (const fault of ["before", "after"] as const) {
    const server = account();
    const phone = device(server);
    phone.cart.addItem(item("a"));
    await phone.sync.start();
    phone.faults.push(fault);
    setQuantity(phone.cart, "a", 5);
    await phone.rest();
    setQuantity(phone.cart, "a", 1);
    await phone.rest();
    assert.equal(phone.has(), "a:1", fault);
    assert.equal(quantities(server.items()), "a:1", fault);
  }
});

test("what the shop has changed is told and taken over", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem(item("a"));
  server.changes.push({ id: "a", kind: "price_changed", message: "“a” now costs $6.00." });
  await phone.sync.start();
  assert.deepEqual(phone.notes, ["“a” now costs $6.00."]);
});

test("what the shop has changed is not told again by the next document", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem(item("a"));
  await phone.sync.start();
  server.changes.push({ id: "a", kind: "price_changed", message: "“a” now costs $7.00." });
  const next = device(server, "u1", phone.memory);
  await next.sync.start();
  assert.deepEqual([...new Set(next.notes)], ["“a” now costs $7.00."]);
  const later = device(server, "u1", phone.memory);
  await later.sync.start();
  assert.deepEqual(later.notes, []);
});

test("what is sold out is not sent at each look", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem(item("a"));
  await phone.sync.start();
  server.changes.push({ id: "a", kind: "sold_out", message: "“a” is sold out." });
  const calls = phone.calls();
  await phone.look();
  assert.equal(phone.calls(), calls + 1);
});

test("looking asks at most every 30 seconds", async () => {
  const server = account();
  const phone = device(server);
  await phone.sync.start();
  const calls = phone.calls();
  for (let second = 0; second < 29; second += 1) {
    phone.sync.returned();
    await phone.rest(1_000);
  }
  assert.equal(phone.calls(), calls);
  await phone.rest(1_000);
  phone.sync.returned();
  await phone.rest();
  assert.equal(phone.calls(), calls + 1);
});

test("a promo code goes along to other devices", async () => {
  const server = account();
  const [phone, laptop] = [device(server), device(server)];
  await phone.sync.start();
  phone.enter("WELCOME10");
  await phone.rest();
  await laptop.sync.start();
  assert.equal(laptop.promo(), "WELCOME10");
});

test("a sign-out leaves here only what the account does not have", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem(item("a"), 2);
  await phone.sync.start();
  phone.connect(false);
  phone.cart.addItem(item("b"));
  await phone.rest();
  phone.cart.change((items) => unsyncedItems(phone.memory.storage, items));
  assert.equal(phone.has(), "b:1");
});

test("another user's base is no base", async () => {
  const phone = device(account());
  phone.cart.addItem(item("a"));
  await phone.sync.start();
  const other = account();
  other.sync({ items: [{ id: "b", qty: 1 }] });
  const shared = device(other, "u2", phone.memory);
  await shared.sync.start();
  assert.equal(shared.has(), "a:1 b:1");
});

test("a cart that was forgotten after 7 days empties no account", async () => {
  const server = account();
  const phone = device(server);
  phone.cart.addItem(item("a"));
  await phone.sync.start();
  phone.timers.advance(8 * 24 * 60 * 60 * 1_000);
  phone.cart.resync();
  assert.equal(phone.has(), "");
  phone.sync.returned();
  await phone.rest();
  assert.equal(phone.has(), "a:1");
  assert.equal(quantities(server.items()), "a:1");
});

test("a cart that was forgotten before the first merge was answered empties no account", async () => {
  const server = account();
  server.sync({ items: [{ id: "a", qty: 5 }] });
  const phone = device(server);
  phone.cart.addItem(item("a"));
  // The next page, 3 days later.
  const next = device(server, "u1", phone.memory);
  next.timers.advance(3 * 24 * 60 * 60 * 1_000);
  for (let times = 0; times < 2; times += 1) next.faults.push("before");
  await next.sync.start();
  next.faults.length = 0;
  next.timers.advance(5 * 24 * 60 * 60 * 1_000);
  next.cart.resync();
  next.sync.returned();
  await next.rest();
  // Or later, when the cart is forgotten.
  next.timers.advance(3 * 24 * 60 * 60 * 1_000);
  next.cart.resync();
  await next.look();
  assert.equal(next.has(), "a:5");
  assert.equal(quantities(server.items()), "a:5");
});

test("what a former release has sent before the first merge takes nothing from an account", async () => {
  const day = 24 * 60 * 60 * 1_000;
  const sent = [{ id: "a", qty: 1, saved: false }];
  for (const refused of [false, true]) {
    const server = account();
    server.sync({ items: [{ id: "a", qty: 5 }], promo_code: "WELCOME10" });
    const phone = device(server);
    phone.cart.addItem(item("a"));
    const next = device(server, "u1", phone.memory);
    next.timers.advance(8 * day);
    next.cart.resync();
    const record = { user: "u1", base: null, sent, promo: null, at: 1_000 + 3 * day };
    phone.memory.storage.write(SYNC_KEY, record);
    if (refused) next.refuse(401);
    await next.sync.start();
    assert.equal(quantities(server.items()), "a:5");
    assert.equal(server.get().promo_code, "WELCOME10");
    if (refused) assert.ok(!phone.memory.raw.has(SYNC_KEY), "the next page is a guest's");
    else assert.equal(next.promo(), "WELCOME10");
  }
});

test("an old record that cannot be replaced takes no code away at each return", async () => {
  const old = JSON.stringify({ user: "u1", base: [], sent: null, promo: null, at: 1_000 });
  const full = () => {
    throw new Error("full");
  };
  const getItem = (key: string) => (key === SYNC_KEY ? old : null);
  const area = () => ({ getItem, setItem: full, removeItem() {} }) as unknown as Storage;
  const server = account();
  server.sync({ items: [], promo_code: "WELCOME10" });
  const phone = device(server, "u1", { raw: new Map(), storage: jsonStorage(area) });
  phone.timers.advance(8 * 24 * 60 * 60 * 1_000);
  await phone.sync.start();
  await phone.rest();
  phone.sync.returned();
  await phone.rest();
  assert.equal(phone.promo(), "WELCOME10");
  assert.equal(server.get().promo_code, "WELCOME10");
});

test("a code that was here more than 7 days ago replaces none that the account has since", async () => {
  for (const since of ["FALL20", null]) {
    const server = account();
    const [phone, laptop] = [device(server), device(server)];
    phone.enter("WELCOME10");
    await phone.sync.start();
    await laptop.sync.start();
    assert.equal(laptop.promo(), "WELCOME10");
    laptop.timers.advance(8 * 24 * 60 * 60 * 1_000);
    phone.enter(since);
    await phone.rest();
    await laptop.sync.start();
    await laptop.rest();
    assert.equal(laptop.promo(), since);
    assert.equal(server.get().promo_code, since);
    // The record is there: other tabs would take its absence for a sign-out.
    assert.ok(laptop.memory.raw.has(SYNC_KEY));
  }
});

test("a guest's promo code is forgotten with the cart", async () => {
  const server = account();
  const codes: unknown[] = [];
  const sync: typeof server.sync = (body) => {
    codes.push(body.promo_code);
    return server.sync(body);
  };
  const phone = device({ ...server, sync }, "guest", memoryStorage(), () => "");
  phone.cart.addItem(item("a"));
  phone.enter("WELCOME10");
  await phone.sync.start();
  assert.deepEqual(codes, ["WELCOME10"]);
  phone.timers.advance(8 * 24 * 60 * 60 * 1_000);
  phone.cart.addItem(item("b"));
  phone.sync.returned();
  assert.equal(phone.promo(), null);
  await phone.rest();
  assert.equal(codes[1], null);
});

/** Pseudo-random numbers, the same in every run. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

test("whatever is lost on the way, a device's cart arrives as the shopper left it", async () => {
  let faults = 0;
  for (let seed = 1; seed <= 150; seed += 1) {
    const roll = dice(seed);
    const server = account();
    const phone = device(server);
    await phone.sync.start();
    for (let step = 0; step < 12; step += 1) {
      const id = "abc"[roll(3)] ?? "a";
      const fault = (["none", "before", "after"] as const)[roll(3)] ?? "none";
      if (fault !== "none") faults += 1;
      phone.faults.splice(0, 9, fault);
      const act = roll(4);
      if (act === 0) phone.cart.addItem(item(id));
      else if (act === 1) setQuantity(phone.cart, id, 1 + roll(4));
      else if (act === 2) phone.cart.removeItem(id);
      else
        phone.cart.change((items) =>
          items.map((each) => (each.id === id ? { ...each, saved: !each.saved } : each)),
        );
      const wanted = phone.has();
      await phone.rest(roll(2) * 1_000);
      assert.equal(phone.has(), wanted, `seed ${seed}, step ${step}`);
    }
    phone.faults.splice(0);
    const wanted = phone.has();
    await phone.look();
    assert.equal(phone.has(), wanted, `seed ${seed}`);
    assert.equal(quantities(server.items()), wanted, `seed ${seed}`);
  }
  assert.ok(faults > 500);
});

test("devices that change different things, with answers lost, agree and lose nothing", async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const roll = dice(seed * 7);
    const server = account();
    const devices = [device(server), device(server)];
    for (const each of devices) await each.sync.start();
    for (let step = 0; step < 10; step += 1) {
      const which = roll(2);
      const each = devices[which];
      // Each device changes its own items, so that the expected result is known.
      const id = (which === 0 ? "ab" : "cd")[roll(2)] ?? "a";
      each?.faults.splice(0, 9, (["none", "before", "after"] as const)[roll(3)] ?? "none");
      if (roll(3) === 0) each?.cart.removeItem(id);
      else each?.cart.addItem(item(id));
      await each?.rest();
    }
    const own = devices.map((each, which) =>
      lineStates(each.cart.snapshot().items).filter(({ id }) =>
        (which === 0 ? "ab" : "cd").includes(id),
      ),
    );
    for (const each of [...devices, ...devices]) {
      each.faults.splice(0);
      await each.look();
    }
    const wanted = quantities(own.flat());
    for (const each of devices) assert.equal(each.has(), wanted, `seed ${seed}`);
    assert.equal(quantities(server.items()), wanted, `seed ${seed}`);
  }
});
