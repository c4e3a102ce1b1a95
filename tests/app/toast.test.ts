import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createLayer } from "../../app/lib/layers";
import { createToastStore, ofGroup } from "../../app/lib/toast-store";
import { manualTimers } from "./support";

let timers: ReturnType<typeof manualTimers>;
let store: ReturnType<typeof createToastStore>;
const shown = () => store.snapshot().map(({ summary }) => summary);

beforeEach(() => {
  timers = manualTimers();
  store = createToastStore(timers);
});

test("a message leaves when its life is over, one without a life stays until it is closed", () => {
  store.addToast({ severity: "info", summary: "short", life: 3_000 });
  const id = store.addToast({ severity: "error", summary: "stays" });
  timers.advance(2_999);
  assert.deepEqual(shown(), ["short", "stays"]);
  timers.advance(1);
  assert.deepEqual(shown(), ["stays"]);
  timers.advance(1_000_000);
  assert.deepEqual(shown(), ["stays"]);
  store.removeToast(id);
  assert.deepEqual(shown(), []);
});

test("a pause keeps what is left of a life", () => {
  const id = store.addToast({ severity: "info", summary: "held", life: 1_000 });
  timers.advance(400);
  store.pauseToast(id);
  timers.advance(5_000);
  // The pointer and the keyboard can both pause it.
  store.pauseToast(id);
  timers.advance(5_000);
  assert.deepEqual(shown(), ["held"]);
  store.resumeToast(id);
  store.resumeToast(id);
  timers.advance(599);
  assert.deepEqual(shown(), ["held"]);
  timers.advance(1);
  assert.deepEqual(shown(), []);
});

test("pausing or resuming a message that has gone, or has no life, does nothing", () => {
  const id = store.addToast({ severity: "warn", summary: "no life" });
  store.pauseToast(id);
  store.resumeToast(id);
  store.resumeToast(99);
  timers.advance(1_000_000);
  assert.deepEqual(shown(), ["no life"]);
});

test("listeners hear of every change, and the list is stable in between", () => {
  let heard = 0;
  const stop = store.subscribe(() => heard++);
  const id = store.addToast({ severity: "success", summary: "a" });
  const list = store.snapshot();
  store.removeToast(99);
  assert.equal(store.snapshot(), list);
  assert.equal(heard, 1);
  store.removeToast(id);
  assert.equal(heard, 2);
  stop();
  store.addToast({ severity: "info" });
  assert.equal(heard, 2);
});

test("a layer rises above all others, and sinks 200 ms after it was left", () => {
  const levels: (number | null)[] = [];
  const toasts = createLayer(timers, (zIndex) => levels.push(zIndex));
  const menu: (number | null)[] = [];
  const other = createLayer(timers, (zIndex) => menu.push(zIndex));
  toasts.raise(0);
  other.raise(0);
  toasts.raise(0);
  assert.deepEqual(levels, [1001, 1003]);
  assert.deepEqual(menu, [1002]);
  toasts.leave();
  timers.advance(199);
  assert.equal(levels.at(-1), 1003);
  timers.advance(1);
  assert.equal(levels.at(-1), null);
  other.leave();
  timers.advance(200);
  toasts.raise(0);
  assert.equal(levels.at(-1), 1001);
  toasts.leave();
  timers.advance(200);
});

test("a message that comes within the 200 ms keeps the layer", () => {
  const levels: (number | null)[] = [];
  const layer = createLayer(timers, (zIndex) => levels.push(zIndex));
  layer.raise(50);
  layer.leave();
  timers.advance(100);
  layer.raise(50);
  timers.advance(1_000);
  assert.deepEqual(levels, [51, 51]);
  layer.leave();
  timers.advance(200);
  assert.equal(levels.at(-1), null);
});

test("a message is shown in the area of its group alone", () => {
  store.addToast({ severity: "info", summary: "everywhere" });
  store.addToast({ severity: "info", summary: "checkout", group: "checkout" });
  const inArea = (group?: string) => ofGroup(store.snapshot(), group).map(({ summary }) => summary);
  assert.deepEqual(inArea(), ["everywhere"]);
  assert.deepEqual(inArea("checkout"), ["checkout"]);
  assert.deepEqual(inArea("admin"), []);
});
