import assert from "node:assert/strict";
import { test } from "node:test";
import { type Form, restored } from "../../app/checkout/form-state";

const empty: Form = {
  email: "",
  phone: "",
  first_name: "",
  last_name: "",
  company: "",
  line1: "",
  line2: "",
  city: "",
  state: "",
  postal_code: "",
  delivery: "ship",
  method: "",
  payment: null,
};
/** The form as the server fills it for an account. */
const account: Form = {
  ...empty,
  email: "iris@shop.example",
  phone: "614 555 0142",
  first_name: "Iris",
  last_name: "Vane",
  company: "Vane & Co.",
  line1: "48 Gay Street",
  line2: "Apt 4",
  city: "Columbus",
  state: "OH",
  postal_code: "43215",
};
const typed = { line1: "12 High Street", city: "Anchorage", state: "AK", postal_code: "99501" };

test("an address that a guest has typed is not mixed with the account's", () => {
  const form = restored(account, { ...empty, ...typed, by: "" }, "u1");
  assert.deepEqual(form, { ...account, ...typed, company: "", line2: "" });
  // A part of an address is not completed by another one.
  const part = restored(account, { ...empty, state: "AK", by: "" }, "u1");
  assert.equal(part.line1, "");
});

test("without a typed address a guest gets the account's", () => {
  const form = restored(account, { ...empty, phone: "907 555 0100", by: "" }, "u1");
  assert.deepEqual(form, { ...account, phone: "907 555 0100" });
});

test("a reload shows what was typed, also what was emptied, but for the email", () => {
  const entered = { ...account, email: "", phone: "", line2: "" };
  assert.deepEqual(restored(account, { ...entered, by: "u1" }, "u1"), {
    ...entered,
    email: account.email,
  });
});

test("what an account entered is shown to nobody else", () => {
  for (const sub of ["", "u2"])
    assert.equal(restored(empty, { ...account, by: "u1" }, sub), empty, sub);
});

test("a field that the form does not have is left out", () => {
  const stored = { ...typed, age: "21", by: "" };
  assert.deepEqual(restored(empty, stored, ""), { ...empty, ...typed });
});
