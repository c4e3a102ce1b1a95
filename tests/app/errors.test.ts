import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ApiError } from "../../app/lib/api";
import { createReporter, type ErrorReport, isFatal } from "../../app/lib/error-report";
import {
  addErrorHook,
  type ErrorKind,
  errorText,
  isCrawler,
  reportError,
} from "../../app/lib/errors";

function reporter() {
  const sent: ErrorReport[] = [];
  const report = createReporter((each) => sent.push(each));
  const hook = (error: unknown, kind: ErrorKind) => report(error, kind, "/cart", "build-1");
  return { hook, sent };
}

test("the same error is told once", () => {
  const { hook, sent } = reporter();
  const error = new Error("broken");
  hook(error, "render");
  hook(error, "window");
  assert.deepEqual(sent, [
    { message: "broken", stack: error.stack, url: "/cart", build: "build-1", kind: "render" },
  ]);
});

test("at most 10 errors are told in the life of a page", () => {
  const { hook, sent } = reporter();
  for (let index = 0; index < 25; index++) hook(`error ${index}`, "promise");
  assert.equal(sent.length, 10);
});

test("an error reaches every hook, past one that is itself broken", () => {
  const log = mock.method(console, "error", () => {});
  const heard: unknown[] = [];
  const stops = [
    addErrorHook(() => {
      throw new Error("bad hook");
    }),
    addErrorHook((error) => heard.push(error)),
  ];
  reportError("lost", "render");
  for (const stop of stops) stop();
  reportError("later", "render");
  assert.deepEqual(heard, ["lost"]);
  assert.equal(log.mock.callCount(), 3);
  log.mock.restore();
});

test("the text of an error is its message, or its string form", () => {
  assert.equal(errorText(new TypeError("no")), "no");
  assert.equal(errorText(new TypeError()), "TypeError");
  assert.equal(errorText("plain"), "plain");
  assert.equal(errorText(undefined), "undefined");
});

test("a fault of the app's own code that nobody caught is fatal, nothing else is", () => {
  const thrown = (error: Error, file: string) =>
    Object.assign(error, { stack: `${error}\n    at pay (${file})` });
  const own = "https://shop.example/assets/client-AB12CD34.js:1:234";
  assert.equal(isFatal(thrown(new TypeError("x of null"), own), "window"), true);
  assert.equal(isFatal(thrown(new Error("lost"), own), "promise"), true);
  // The error boundary handles render errors.
  assert.equal(isFatal(thrown(new TypeError("x of null"), own), "render"), false);
  for (const harmless of [
    "Script error.",
    undefined,
    thrown(new Error("in the way"), "chrome-extension://abc/content.js:1:2"),
    thrown(new DOMException("given up", "AbortError"), own),
    thrown(new ApiError(500, null), own),
    // The error of a failed import: the file is in the message, it is not where the error occurred.
    Object.assign(new TypeError("gone"), { stack: "TypeError: /assets/cart-AB.js" }),
  ]) {
    assert.equal(isFatal(harmless, "promise"), false, String(harmless));
  }
});

test("crawlers are known by their names", () => {
  for (const agent of [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "Mozilla/5.0 … Chrome-Lighthouse",
    "facebookexternalhit/1.1",
    "GoogleOther",
    "bot",
    "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 30) Chrome/140.0 Mobile (compatible; AdsBot/1.0)",
    "facebookcatalog/1.0",
  ]) {
    assert.equal(isCrawler(agent), true, agent);
  }
  for (const agent of [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; CUBOT KINGKONG 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 9; Cubot_X18_Plus) AppleWebKit/537.36 Chrome/99.0 Mobile Safari/537.36",
  ]) {
    assert.equal(isCrawler(agent), false, agent);
  }
});
