import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, isConflict, tellFailure } from "../../app/admin/call";
import { ApiError } from "../../app/lib/api";
import { startToasts, type ToastMessage } from "../../app/lib/toast";
import { refusal } from "./support";

test("a failed call is told in a toast, any other error is thrown on", () => {
  const shown: ToastMessage[] = [];
  startToasts((message) => shown.push(message));
  const lost = new ApiError(0, null);
  tellFailure(lost);
  assert.deepEqual(shown, [{ severity: "error", summary: lost.message }]);
  assert.equal(failure(lost), lost);

  const bug = new TypeError("x is undefined");
  const isBug = (error: unknown) => error === bug;
  assert.throws(() => tellFailure(bug), isBug);
  assert.throws(() => failure(bug), isBug);
  assert.equal(shown.length, 1);
});

test("only a refusal because of someone else’s change is a conflict", () => {
  assert.ok(isConflict(refusal("changed_meanwhile")));
  assert.ok(!isConflict(refusal("in_use")));
  assert.ok(!isConflict(new ApiError(0, null)));
  assert.ok(!isConflict(null));
});
