import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createBatch,
  createLabeler,
  createSearchWatch,
  createSession,
} from "../../app/lib/activity";
import type { ActivityEvent } from "../../app/lib/types";
import { manualTimers } from "./support";

const SECOND = 1_000;

function session() {
  const timers = manualTimers();
  const reports: number[] = [];
  const active = createSession(timers, (seconds) => reports.push(seconds));
  return { ...active, reports, pass: timers.advance };
}

test("a session is reported every 300 s, from the first moment over 300 s", () => {
  const { begin, reports, pass } = session();
  begin();
  pass(300 * SECOND);
  assert.deepEqual(reports, []);
  pass(1);
  assert.deepEqual(reports, [300]);
  pass(300 * SECOND - 1);
  assert.deepEqual(reports, [300]);
  pass(1);
  assert.deepEqual(reports, [300, 600]);
  pass(900 * SECOND);
  assert.deepEqual(reports, [300, 600, 900, 1200, 1500]);
});

test("hiding reports what lasted more than 30 s, and ends the active period", () => {
  const { begin, end, reports, pass } = session();
  begin();
  pass(30 * SECOND);
  end();
  assert.deepEqual(reports, []);
  begin();
  pass(30 * SECOND + 1);
  end();
  assert.deepEqual(reports, [30]);
  pass(3_600 * SECOND);
  assert.deepEqual(reports, [30], "a hidden page is not active");
  begin();
  pass(45 * SECOND);
  end();
  assert.deepEqual(reports, [30, 45], "each period is counted from its own beginning");
});

test("a page that is visible for days reports no more than the server accepts", () => {
  const { begin, end, reports, pass } = session();
  begin();
  pass(2 * 86_400 * SECOND);
  end();
  assert.equal(Math.max(...reports), 86_400);
});

test("leaving after hiding reports nothing twice", () => {
  const { begin, end, reports, pass } = session();
  begin();
  begin();
  pass(310 * SECOND);
  end();
  end();
  assert.deepEqual(reports, [300, 310]);
});

test("a session may have begun before anybody watched", () => {
  const { begin, end, reports, pass } = session();
  pass(20 * SECOND);
  begin(0);
  pass(280 * SECOND);
  assert.deepEqual(reports, []);
  pass(1);
  assert.deepEqual(reports, [300]);
  end();
  assert.deepEqual(reports, [300, 300]);
});

function searches() {
  const timers = manualTimers();
  const reports: string[] = [];
  const typed = createSearchWatch(timers, (text) => reports.push(text));
  return { typed, reports, pass: timers.advance };
}

test("a search is reported a second after the last key", () => {
  const { typed, reports, pass } = searches();
  for (const text of ["p", "pi", "pip", "pipe"]) {
    typed(text);
    pass(999);
  }
  assert.deepEqual(reports, []);
  pass(1);
  assert.deepEqual(reports, ["pipe"]);
  pass(10 * SECOND);
  assert.deepEqual(reports, ["pipe"]);
});

test("only more than 2 characters are a search, without the spaces around them", () => {
  const { typed, reports, pass } = searches();
  for (const text of ["", "  ", "ab", " ab  ", "  abc  ", "\u{1f600}\u{1f600}"]) {
    typed(text);
    pass(SECOND);
  }
  assert.deepEqual(reports, ["abc"]);
});

test("what was shortened before the second was over is no search", () => {
  const { typed, reports, pass } = searches();
  typed("pipe");
  pass(500);
  typed("pi");
  pass(10 * SECOND);
  assert.deepEqual(reports, []);
});

test("the same text is one search, and a very long one is cut", () => {
  const { typed, reports, pass } = searches();
  for (const text of ["pipe", "pipe ", "x".repeat(500), "a\u0000b\tc"]) {
    typed(text);
    pass(SECOND);
  }
  assert.deepEqual(reports, ["pipe", "x".repeat(200), "a b c"]);
});

function batch(online = true) {
  const timers = manualTimers();
  const sent: { pages: (string | null | undefined)[]; leaving: boolean }[] = [];
  const state = { online };
  const it = createBatch(timers, (events, leaving) => {
    if (state.online) sent.push({ pages: events.map(({ page }) => page), leaving });
    return state.online;
  });
  const add = (page: string) => it.add({ type: "page_view", page });
  return { ...it, add, sent, state, pass: timers.advance };
}

test("events of two seconds go together", () => {
  const { add, sent, pass } = batch();
  add("/");
  pass(1_999);
  add("/cart");
  assert.deepEqual(sent, []);
  pass(1);
  assert.deepEqual(sent, [{ pages: ["/", "/cart"], leaving: false }]);
  add("/products");
  pass(2_000);
  assert.equal(sent.length, 2);
});

test("twenty events do not wait, and nothing is sent twice", () => {
  const { add, flush, sent, pass } = batch();
  for (let at = 0; at < 20; at++) add(`/${at}`);
  assert.equal(sent[0]?.pages.length, 20);
  flush(true);
  pass(10 * SECOND);
  assert.equal(sent.length, 1);
});

test("a page that goes away sends at once", () => {
  const { add, flush, sent } = batch();
  add("/");
  flush(true);
  assert.deepEqual(sent, [{ pages: ["/"], leaving: true }]);
});

test("without a connection the last fifty events wait", () => {
  const { add, sent, state, pass } = batch(false);
  for (let at = 0; at < 70; at++) add(`/${at}`);
  pass(10 * SECOND);
  assert.equal(sent.length, 0);
  state.online = true;
  add("/last");
  pass(2_000);
  const pages = sent.flatMap((each) => each.pages);
  assert.equal(pages.length, 50);
  assert.deepEqual([pages[0], pages[49]], ["/21", "/last"]);
});

test("events carry the page and the session; a page is viewed once until another is", () => {
  const label = createLabeler("session");
  const view = (page: string | null): ActivityEvent => ({ type: "page_view", page });
  assert.deepEqual(label(view("/")), { type: "page_view", page: "/", session_id: "session" });
  assert.equal(label(view("/")), null);
  assert.equal(label(view(null)), null, "an error page is no view");
  assert.deepEqual(label({ type: "search", action: "pipe" }), {
    type: "search",
    action: "pipe",
    page: "/",
    session_id: "session",
  });
  assert.equal(label(view("/cart"))?.page, "/cart");
  assert.equal(label(view("/"))?.page, "/");
});
