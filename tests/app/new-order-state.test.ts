// The form in which staff create an order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ADDRESS, newOrder, withCustomer } from "../../app/admin/orders/new-order-state";
import type { FoundBuyer } from "../../app/lib/types";

const ann: FoundBuyer = {
  user_id: "a",
  name: "Ann Smith",
  email: "ann@shop.example",
  email_verified: true,
  phone: "614 555 0100",
  address: {
    ...EMPTY_ADDRESS,
    first_name: "Ann",
    last_name: "Smith",
    company: "Smith Pipes",
    line1: "12 Oak Street",
    city: "Columbus",
    state: "OH",
    postal_code: "43215",
  },
};
/** An account with neither phone nor address. */
const bob: FoundBuyer = {
  user_id: "b",
  name: "Bob Smith",
  email: "bob@shop.example",
  email_verified: true,
  phone: "",
  address: null,
};

test("one account's address and phone are not kept for another", () => {
  const ofAnn = withCustomer(newOrder(null, true), ann);
  assert.equal(ofAnn.address.line1, "12 Oak Street");
  const asGuest = { ...ofAnn, user_id: null, account: "" };
  for (const before of [ofAnn, asGuest]) {
    const { user_id, email, phone, address } = withCustomer(before, bob);
    assert.deepEqual([user_id, email, phone], ["b", "bob@shop.example", ""]);
    assert.deepEqual(address, { ...EMPTY_ADDRESS, first_name: "Bob", last_name: "Smith" });
  }
});

test("a link is emailed by default only where email is on", () => {
  assert.deepEqual([newOrder(null, true).mail, newOrder(null, false).mail], [true, false]);
});

test("what was typed stays where the account lacks it", () => {
  const address = { ...EMPTY_ADDRESS, line1: "3 Elm Street" };
  const typed = { ...newOrder(null, true), phone: "614 555 0199", address };
  const ofBob = withCustomer(typed, bob);
  assert.deepEqual([ofBob.phone, ofBob.address.line1], ["614 555 0199", "3 Elm Street"]);
  // The same account again replaces nothing.
  const again = withCustomer(ofBob, bob);
  assert.deepEqual([again.phone, again.address.line1], ["614 555 0199", "3 Elm Street"]);
});

test("an email address that is only claimed is told and not filled in", () => {
  const claimer = { ...bob, email: "ann@shop.example", email_verified: false };
  const typed = { ...newOrder(null, true), email: "typed@shop.example" };
  const ofClaimer = withCustomer(typed, claimer);
  assert.equal(ofClaimer.email, "typed@shop.example");
  assert.equal(ofClaimer.account, "Bob Smith (email not verified)");
  const ofAnn = withCustomer(typed, ann);
  assert.deepEqual([ofAnn.email, ofAnn.account], ["ann@shop.example", "Ann Smith"]);
  assert.equal(withCustomer(ofAnn, claimer).email, "", "nor does another account's stay");
});
