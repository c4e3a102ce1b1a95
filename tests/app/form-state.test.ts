import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, type Form, kept } from "../../app/checkout/form-state";

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

/** What the tab stores of a page on which these fields were changed. */
const stored = (first: Form, by: string, ...parts: Partial<Form>[]) => ({
  ...parts.reduce((entered, part) => changed(first, entered, part), {}),
  by,
});
/** The form of a page that is opened later. */
const restored = (first: Form, stored: Record<string, unknown>, sub: string) => ({
  ...first,
  ...kept(stored, sub),
});

test("what nobody has entered is what the page says now", () => {
  const moved: Form = { ...account, ...typed, company: "", line2: "", phone: "", method: "ground" };
  assert.deepEqual(restored(moved, stored(account, "u1"), "u1"), moved);
  const entered = stored(account, "u1", { phone: "907 555 0100" }, { delivery: "pickup" });
  assert.deepEqual(restored(moved, entered, "u1"), {
    ...moved,
    phone: "907 555 0100",
    delivery: "pickup",
  });
});

test("an address in which something was entered is not mixed with the page's", () => {
  const moved: Form = { ...account, ...typed, first_name: "Ivy" };
  assert.deepEqual(restored(moved, stored(account, "u1", { line2: "" }), "u1"), {
    ...account,
    line2: "",
  });
});

test("an address that a guest has typed is not mixed with the account's", () => {
  const form = restored(account, stored(empty, "", typed), "u1");
  assert.deepEqual(form, { ...account, ...typed, company: "", line2: "" });
  // A part of an address is not completed by another one.
  const part = restored(account, stored(empty, "", { state: "AK" }), "u1");
  assert.equal(part.line1, "");
});

test("without a typed address a guest gets the account's", () => {
  const form = restored(account, stored(empty, "", { phone: "907 555 0100" }), "u1");
  assert.deepEqual(form, { ...account, phone: "907 555 0100" });
});

test("a reload shows what was typed, also what was emptied, but for the email", () => {
  const entered = stored(account, "u1", { email: "", phone: "" }, { line2: "" });
  assert.deepEqual(restored(account, entered, "u1"), { ...account, phone: "", line2: "" });
});

test("what an account entered is shown to nobody else", () => {
  const entered = stored(account, "u1", typed, { phone: "907 555 0100" });
  for (const sub of ["", "u2"]) assert.deepEqual(restored(empty, entered, sub), empty, sub);
});

test("what is no text is left out", () => {
  assert.deepEqual(kept({ ...typed, phone: 21, by: "" }, ""), typed);
});
