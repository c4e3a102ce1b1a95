import { useEffect, useLayoutEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address, CheckoutForm, CheckoutPage, DraftCheckout, UserView } from "../lib/types";

/** What the shopper entered, as typed. */
export type Form = CheckoutForm;

/** The storage key: one for the cart, and one for each draft order. After a sign-out, `cart/follow.ts` removes them. */
const keyOf = (draft: DraftCheckout | null) =>
  draft ? `shop.checkout.form.${draft.number}` : "shop.checkout.form";

/**
 * The form, stored as long as the tab, so that a reload loses nothing. What an account entered is shown only to that
 * account; what a guest entered stays after signing in, and the account's details fill the rest.
 */
export function useForm({ form: first, draft, refusal }: CheckoutPage, user: UserView | null) {
  const key = keyOf(draft);
  const sub = user?.sub ?? "";
  const [form, setForm] = useState<Form>(first);
  useLayoutEffect(() => {
    // A posted form is newer than the stored one. After a sign-out in another tab nothing is stored any more.
    const stored = refusal ? null : session.read(key, isRecord);
    setForm(stored ? restored(first, stored, sub) : first);
  }, [key, refusal, sub, first]);
  useEffect(() => {
    session.write(key, { ...form, by: sub });
  }, [key, form, sub]);
  return { form, change: (part: Partial<Form>) => setForm((before) => ({ ...before, ...part })) };
}

/** The page's form with what this visitor had entered. An address is taken over whole: two must not be mixed. */
export function restored(first: Form, stored: Record<string, unknown>, sub: string): Form {
  // The id of the account that entered it; empty for a guest.
  const { by } = stored;
  if (by && by !== sub) return first;
  const entries = Object.entries(stored).filter(
    ([name, value]) => name in first && typeof value === "string",
  );
  const hasPlace = entries.some(([name, value]) => value && PLACE.test(name));
  const isKept = ([name, value]: [string, unknown]) =>
    value || (by === sub ? name !== "email" : hasPlace && PLACE.test(name));
  return { ...first, ...Object.fromEntries(entries.filter(isKept)) };
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
