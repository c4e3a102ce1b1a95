import assert from "node:assert/strict";
import { test } from "node:test";
import { sendChange } from "../../app/admin/users/send-change";
import { refusal } from "./support";

test("an account that someone else has changed is shown anew, and only then", async () => {
  let shown = 0;
  const showAnew = async () => {
    shown += 1;
  };
  await sendChange(async () => {}, showAnew);
  for (const [code, times] of [
    ["own_account", 0],
    ["changed_meanwhile", 1],
  ] as const) {
    const error = refusal(code);
    const refuse = () => Promise.reject(error);
    await assert.rejects(sendChange(refuse, showAnew), error);
    assert.equal(shown, times, code);
  }
});
