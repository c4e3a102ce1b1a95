import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  createNavigator,
  type Destination,
  fetchedSoon,
  type NavigatorHost,
} from "../../app/lib/navigator";
import type { Envelope } from "../../app/lib/types";
import { ChunkError } from "../../app/lib/view";
import { samples } from "../../app/samples";
import { deferred, manualTimers, settle } from "./support";

const BUILD = "build-1";

const to = (path: string, movement: Destination["movement"] = "push"): Destination => ({
  url: new URL(path, "https://shop.example.com"),
  movement,
  keepPosition: false,
});

const envelope = (url: string, build = BUILD): Envelope => {
  const [sample] = samples;
  assert.ok(sample);
  return { ...sample, url, shared: { ...sample.shared, build } };
};

/** A host that only records the calls. */
function browser() {
  const fetches: {
    path: string;
    answer: ReturnType<typeof deferred<Envelope>>;
    signal: AbortSignal;
  }[] = [];
  const log: string[] = [];
  const running: boolean[] = [];
  const state = { outdated: false, chunk: Promise.resolve(), here: "/a" };
  const host: NavigatorHost = {
    outdated: () => state.outdated,
    isOurs: ({ shared }) => shared.build === BUILD,
    fetchEnvelope({ pathname }, signal) {
      log.push(`fetch ${pathname}`);
      const answer = deferred<Envelope>();
      fetches.push({ path: pathname, answer, signal });
      return answer.promise;
    },
    async loadPage() {
      await state.chunk;
      return () => null;
    },
    here: () => to(state.here).url,
    async show(view, { movement }) {
      state.here = view.envelope.url;
      log.push(`show ${view.envelope.url} ${movement}`);
    },
    loadFully: ({ url }) => log.push(`load ${url.pathname}`),
    recoverChunk: ({ url }, error) => log.push(`recover ${url.pathname} ${error.name}`),
    headingFor: (url) => running.push(url !== null),
  };
  const asked = (path: string) => fetches.filter((each) => each.path === path);
  return {
    host,
    log,
    running,
    state,
    answer(path: string, build = BUILD) {
      for (const { answer } of asked(path)) answer.resolve(envelope(path, build));
    },
    fail(path: string) {
      for (const { answer } of asked(path)) answer.reject(new TypeError("network"));
    },
    signal: (path: string) => asked(path)[0]?.signal,
  };
}

let web: ReturnType<typeof browser>;
let navigator: ReturnType<typeof createNavigator>;

beforeEach(() => {
  web = browser();
  navigator = createNavigator(web.host);
});

test("a navigation fetches, shows, and is over", async () => {
  const done = navigator.go(to("/a"));
  assert.deepEqual(web.running, [true]);
  web.answer("/a");
  await done;
  assert.deepEqual(web.log, ["fetch /a", "show /a push"]);
  assert.deepEqual(web.running, [true, false]);
});

test("a newer navigation cancels the one that runs", async () => {
  const first = navigator.go(to("/a"));
  const second = navigator.go(to("/b"));
  assert.equal(web.signal("/a")?.aborted, true);
  web.answer("/a");
  await first;
  web.answer("/b");
  await second;
  assert.deepEqual(web.log, ["fetch /a", "fetch /b", "show /b push"]);
  assert.deepEqual(web.running.at(-1), false);
});

test("canceled while its code loads, a page is not shown", async () => {
  const chunk = deferred<void>();
  web.state.chunk = chunk.promise;
  const first = navigator.go(to("/a"));
  web.answer("/a");
  await settle();
  const second = navigator.go(to("/b"));
  chunk.resolve();
  web.answer("/b");
  await Promise.all([first, second]);
  assert.deepEqual(web.log, ["fetch /a", "fetch /b", "show /b push"]);
});

test("the same navigation again joins the one that runs", async () => {
  const first = navigator.go(to("/a"));
  const second = navigator.go(to("/a"));
  web.answer("/a");
  await Promise.all([first, second]);
  assert.deepEqual(web.log, ["fetch /a", "show /a push"]);
  const later = navigator.go(to("/a", "replace"));
  web.answer("/a");
  await later;
  assert.deepEqual(web.log.slice(2), ["fetch /a", "show /a replace"]);
});

test("a refresh waits for the navigation that runs, then refreshes its page", async () => {
  const link = navigator.go(to("/b"));
  const refreshed = navigator.go(to("/a", "refresh"));
  assert.equal(web.signal("/b")?.aborted, false);
  web.answer("/b");
  await link;
  await settle();
  web.answer("/b");
  await refreshed;
  assert.deepEqual(web.log, ["fetch /b", "show /b push", "fetch /b", "show /b refresh"]);
});

test("a refresh during a refresh still brings new data, and a third one joins the second", async () => {
  const first = navigator.go(to("/a", "refresh"));
  const others = [navigator.go(to("/a", "refresh")), navigator.go(to("/a", "refresh"))];
  web.answer("/a");
  await first;
  await settle();
  web.answer("/a");
  await Promise.all(others);
  const once = ["fetch /a", "show /a refresh"];
  assert.deepEqual(web.log, [...once, ...once]);
});

test("a link that is loaded in full is not refreshed away", async () => {
  const link = navigator.go(to("/b"));
  const refreshed = navigator.go(to("/a", "refresh"));
  web.fail("/b");
  await Promise.all([link, refreshed]);
  assert.deepEqual(web.log, ["fetch /b", "load /b"]);
});

test("a refresh survives a navigation that is canceled", async () => {
  const link = navigator.go(to("/b"));
  const refreshed = navigator.go(to("/a", "refresh"));
  navigator.cancel();
  web.fail("/b");
  await link;
  await settle();
  web.answer("/a");
  await refreshed;
  assert.deepEqual(web.log, ["fetch /b", "fetch /a", "show /a refresh"]);
});

test("a refresh survives what stays on its page", async () => {
  const refreshed = navigator.go(to("/a", "refresh"));
  navigator.cancel();
  web.answer("/a");
  await refreshed;
  assert.deepEqual(web.log, ["fetch /a", "show /a refresh"]);
});

test("a refresh shows the address that the page has by then", async () => {
  const refreshed = navigator.go(to("/a", "refresh"));
  web.state.here = "/b";
  web.answer("/a");
  await settle();
  web.answer("/b");
  await refreshed;
  assert.deepEqual(web.log, ["fetch /a", "fetch /b", "show /b refresh"]);
});

test("a refresh does not outlive the page that is left", async () => {
  const link = navigator.go(to("/b"));
  const refreshed = navigator.go(to("/a", "refresh"));
  navigator.leave();
  web.fail("/b");
  await Promise.all([link, refreshed]);
  assert.deepEqual(web.log, ["fetch /b"]);
});

test("going back is never taken for a duplicate", async () => {
  const push = navigator.go(to("/a"));
  const back = navigator.go(to("/a", "traverse"));
  web.answer("/a");
  await Promise.all([push, back]);
  assert.deepEqual(web.log, ["fetch /a", "fetch /a", "show /a traverse"]);
});

test("a navigation that fails becomes an ordinary page load", async () => {
  const done = navigator.go(to("/a"));
  web.fail("/a");
  await done;
  assert.deepEqual(web.log, ["fetch /a", "load /a"]);
  assert.equal(web.running.at(-1), false);
});

test("a failure after a cancellation is nobody's business", async () => {
  const done = navigator.go(to("/a"));
  navigator.cancel();
  web.fail("/a");
  await done;
  assert.deepEqual(web.log, ["fetch /a"]);
  assert.deepEqual(web.running, [true, false]);
});

test("an answer of another build is loaded fully", async () => {
  const done = navigator.go(to("/a"));
  web.answer("/a", "build-2");
  await done;
  assert.deepEqual(web.log, ["fetch /a", "load /a"]);
});

test("once a newer build is known, nothing is fetched any more", async () => {
  web.state.outdated = true;
  await navigator.go(to("/a"));
  assert.deepEqual(web.log, ["load /a"]);
});

test("code that does not load is recovered from, under its own rule", async () => {
  const chunk = deferred<void>();
  web.state.chunk = chunk.promise;
  const done = navigator.go(to("/a"));
  web.answer("/a");
  chunk.reject(new ChunkError("gone"));
  await done;
  assert.deepEqual(web.log, ["fetch /a", "recover /a ChunkError"]);
});

/** A press on a link whose page is being fetched in advance. */
function press() {
  const timers = manualTimers();
  const [ahead, own] = [deferred<string>(), deferred<string>()];
  const fetchNow = mock.fn(() => own.promise);
  const wait = async (ms: number) => {
    timers.advance(ms);
    await settle();
  };
  return { ahead, own, fetchNow, wait, answer: fetchedSoon(ahead.promise, fetchNow, timers) };
}

test("what was fetched in advance is not fetched again", async () => {
  const { ahead, fetchNow, wait, answer } = press();
  await wait(499);
  ahead.resolve("ahead");
  assert.equal(await answer, "ahead");
  await wait(1);
  assert.equal(fetchNow.mock.callCount(), 0);
});

test("what is late in advance is fetched once more, and the first answer counts", async () => {
  for (const first of ["ahead", "own"] as const) {
    const pressed = press();
    await pressed.wait(500);
    assert.equal(pressed.fetchNow.mock.callCount(), 1);
    pressed[first].resolve(first);
    assert.equal(await pressed.answer, first);
  }
});

test("a late prefetch that then fails does not harm the press", async () => {
  const { ahead, own, wait, answer } = press();
  await wait(500);
  ahead.reject(new TypeError("network"));
  own.resolve("own");
  assert.equal(await answer, "own");
});

test("a prefetch that fails while a press waits for it is fetched again at once", async () => {
  const { ahead, own, fetchNow, wait, answer } = press();
  await wait(499);
  ahead.reject(new TypeError("network"));
  await settle();
  assert.equal(fetchNow.mock.callCount(), 1);
  own.resolve("own");
  assert.equal(await answer, "own");
});
