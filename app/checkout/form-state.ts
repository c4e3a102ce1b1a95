import { useEffect, useLayoutEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address, CheckoutForm, CheckoutPage, DraftCheckout, UserView } from "../lib/types";
import { checkoutKey } from "./checkout-key";

/** What the shopper entered, as typed. */
export type Form = CheckoutForm;

/** The storage key: one for the cart, and one for each draft order. After a sign-out, `cart/follow.ts` removes them. */
const keyOf = (draft: DraftCheckout | null) => checkoutKey(draft ? `form.${draft.number}` : "form");

/**
 * The page's form with what was entered, which is stored as long as the tab, so that a reload loses nothing. The rest may be
 * newer on the next page. What an account entered is shown only to that account; what a guest entered stays after signing in.
 */
export function useForm({ form: first, draft, is_posted }: CheckoutPage, user: UserView | null) {
  const key = keyOf(draft);
  const sub = user?.sub ?? "";
  const [entered, setEntered] = useState<Partial<Form>>({});
  useLayoutEffect(() => {
    // A posted form is newer than the stored one. After a sign-out in another tab nothing is stored any more.
    setEntered(is_posted ? first : kept(session.read(key, isRecord) ?? {}, sub));
  }, [key, is_posted, sub, first]);
  useEffect(() => {
    session.write(key, { ...entered, by: sub });
  }, [key, entered, sub]);
  const change = (part: Partial<Form>) => setEntered((before) => changed(first, before, part));
  return { form: { ...first, ...entered }, change };
}

/** What was entered, with a change. An address is taken whole: two must not be mixed. */
export function changed(first: Form, entered: Partial<Form>, part: Partial<Form>): Partial<Form> {
  const isPlace = Object.keys(part).some((name) => PLACE.test(name));
  return { ...entered, ...(isPlace && placeOf({ ...first, ...entered })), ...part };
}

/** What this visitor had entered. */
export function kept(stored: Record<string, unknown>, sub: string): Partial<Form> {
  // The id of the account that entered it; empty for a guest.
  const { by, ...entered } = stored;
  const isKept = ([name, value]: [string, unknown]) =>
    typeof value === "string" &&
    (by === sub ? value || name !== "email" : !by && (value || PLACE.test(name)));
  return Object.fromEntries(Object.entries(entered).filter(isKept));
}

/** The fields of an address, without those of the name. */
const PLACE = /company|line|city|state|postal/;

export function forgetForm(draft: DraftCheckout | null): void {
  session.remove(keyOf(draft));
}

/** Name and place without the phone number, which the form asks for on its own. */
export function placeOf(address: Omit<Address, "phone">): Omit<Address, "phone"> {
  const { first_name, last_name, company, line1, line2, city, state, postal_code } = address;
  return { first_name, last_name, company, line1, line2, city, state, postal_code };
}

export const addressOf = (form: Form): Address => ({ ...placeOf(form), phone: "" });

/** Whether the destination is complete enough for a quote. */
export function hasDestination({ state, postal_code }: Form): boolean {
  return state !== "" && /^\d{5}(-\d{4})?$/.test(postal_code.trim());
}
