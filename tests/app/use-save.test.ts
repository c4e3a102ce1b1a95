import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../app/lib/api";
import { startToasts, type ToastMessage } from "../../app/lib/toast";
import { runAction } from "../../app/lib/use-save";

test("once the session has ended a message leads to sign-in, but not in the admin area, where a dialog asks for it", async () => {
  const shown: ToastMessage[] = [];
  startToasts((message) => shown.push(message));
  const fail = async (pathname: string, status: number) => {
    Object.defineProperty(globalThis, "location", { value: { pathname }, configurable: true });
    await runAction(() => Promise.reject(new ApiError(status, null)), "Saved.");
    return shown.pop();
  };
  const [own, staff] = [await fail("/account", 401), await fail("/admin/orders/1001", 401)];
  assert.deepEqual([own?.toSignIn, staff?.toSignIn], [true, false]);
  for (const told of [own, staff]) assert.match(told?.summary ?? "", /nothing was changed/);
  assert.equal((await fail("/account", 500))?.toSignIn, false);
});
