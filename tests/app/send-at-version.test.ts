import assert from "node:assert/strict";
import { test } from "node:test";
import { isConflict } from "../../app/admin/call";
import { sendAtVersion } from "../../app/admin/products/send-at-version";
import { ApiError } from "../../app/lib/api";
import { refusal } from "./support";

const seen = { version: 1, name: "Racks", place: null };

/** Sends what was seen to a server that has these forms in turn; returns the versions that were sent. */
async function send(...stored: (typeof seen | undefined)[]): Promise<number[]> {
  const sent: number[] = [];
  await sendAtVersion(
    seen,
    async (version) => {
      sent.push(version);
      if (version !== stored[0]?.version) throw refusal("changed_meanwhile");
    },
    async () => {
      const now = stored[0];
      if (stored.length > 1) stored.shift();
      return now;
    },
  );
  return sent;
}

test("a change is sent again after a mere move, however often", async () => {
  assert.deepEqual(await send(seen), [1]);
  assert.deepEqual(await send({ ...seen, version: 2 }), [1, 2]);
  const [second, third] = [
    { ...seen, version: 2 },
    { ...seen, version: 3 },
  ];
  assert.deepEqual(await send(second, third), [1, 2, 3]);
});

test("it is not sent again when something else has changed, or it is gone, or cannot be fetched", async () => {
  await assert.rejects(send({ ...seen, version: 2, name: "Their racks" }), isConflict);
  await assert.rejects(send(undefined), isConflict);
  let calls = 0;
  const refused = async () => {
    calls += 1;
    throw refusal("changed_meanwhile");
  };
  await assert.rejects(
    sendAtVersion(seen, refused, async () => seen),
    isConflict,
  );
  assert.equal(calls, 1);
});

test("another refusal is passed on at once", async () => {
  const refused = () => Promise.reject(refusal("in_use"));
  const fetchLatest = () => assert.fail("nothing has changed");
  await assert.rejects(
    sendAtVersion(seen, refused, fetchLatest),
    (error) => error instanceof ApiError && error.problem?.code === "in_use",
  );
});

test("what was saved before its answer was lost is not sent again", async () => {
  const wanted = { ...seen, name: "My racks" };
  let calls = 0;
  const send = async () => {
    calls += 1;
    throw refusal("changed_meanwhile");
  };
  await sendAtVersion(seen, send, async () => ({ ...wanted, version: 2 }), wanted);
  assert.equal(calls, 1);
  const theirs = async () => ({ ...seen, version: 2, name: "Their racks" });
  await assert.rejects(sendAtVersion(seen, send, theirs, wanted), isConflict);
});
