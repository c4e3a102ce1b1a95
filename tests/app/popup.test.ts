import assert from "node:assert/strict";
import { test } from "node:test";
import { type Outcome, outcomeOf, waitForPopup } from "../../app/lib/popup";
import { manualTimers, settle } from "./support";

const ORIGIN = "https://shop.example";

function waiting() {
  const timers = manualTimers();
  let heard: ((origin: string, data: unknown) => void) | null = null;
  let closed = false;
  let outcome: Outcome | null = null;
  const promise = waitForPopup(
    {
      origin: ORIGIN,
      isClosed: () => closed,
      listen(listener) {
        heard = listener;
        return () => {
          heard = null;
        };
      },
      after: timers.after,
    },
    "the-id",
  );
  void promise.then((result) => {
    outcome = result;
  });
  return {
    timers,
    say: (origin: string, data: unknown) => heard?.(origin, data),
    close: () => {
      closed = true;
    },
    listens: () => heard !== null,
    async outcome() {
      await settle();
      return outcome;
    },
  };
}

const message = (rest: object = {}) => ({ type: "auth", id: "the-id", ok: true, ...rest });

test("the popup's own message ends the wait", async () => {
  const popup = waiting();
  popup.say(ORIGIN, message());
  assert.equal(await popup.outcome(), "ok");
  assert.equal(popup.listens(), false);
});

test("messages of other origins, with other ids or of other kinds are ignored", async () => {
  const popup = waiting();
  popup.say("https://evil.example", message());
  for (const data of [message({ id: "another" }), message({ type: "other" }), null, "auth", []]) {
    popup.say(ORIGIN, data);
  }
  assert.equal(await popup.outcome(), null);
  assert.equal(popup.listens(), true);
});

test("a refusal says whether it was the visitor's own", () => {
  assert.equal(outcomeOf(message({ ok: false, reason: "canceled" }), "the-id"), "canceled");
  assert.equal(outcomeOf(message({ ok: false, reason: "failed" }), "the-id"), "failed");
  assert.equal(outcomeOf(message({ ok: "true" }), "the-id"), "failed");
});

test("a popup that closes may have spoken a moment before", async () => {
  const silent = waiting();
  silent.close();
  silent.timers.advance(400);
  assert.equal(await silent.outcome(), null);
  silent.timers.advance(600);
  assert.equal(await silent.outcome(), "closed");
  const spoken = waiting();
  spoken.close();
  spoken.timers.advance(500);
  spoken.say(ORIGIN, message());
  assert.equal(await spoken.outcome(), "ok");
});

test("after 60 s nobody waits any more", async () => {
  const popup = waiting();
  popup.timers.advance(59_999);
  assert.equal(await popup.outcome(), null);
  popup.timers.advance(1);
  assert.equal(await popup.outcome(), "timeout");
  assert.equal(popup.listens(), false);
});
