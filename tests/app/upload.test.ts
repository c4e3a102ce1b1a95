import assert from "node:assert/strict";
import { test } from "node:test";
import { uploadProblem } from "../../app/admin/products/upload";
import { ApiError } from "../../app/lib/api";
import type { Problem } from "../../app/lib/types";

const refusal = (status: number, errors: Record<string, string[]> = {}) =>
  new ApiError(status, {
    type: "about:blank",
    title: "",
    status,
    detail: "This is too large (limit: 20 MB).",
    code: "",
    errors: errors as Problem["errors"],
    request_id: null,
  });

test("a refused upload says which files can be chosen", () => {
  const told = (error: ApiError) => uploadProblem(error, "a PNG of up to 20 MB");
  for (const status of [413, 415]) {
    assert.equal(told(refusal(status)), "Choose a PNG of up to 20 MB.");
  }
  assert.equal(told(refusal(422, { file: ["It is damaged."] })), "It is damaged.");
  assert.equal(told(new ApiError(0, null)), "We couldn’t reach the shop. Please try again.");
});
