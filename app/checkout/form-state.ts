import { useEffect, useLayoutEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address, CheckoutForm, CheckoutPage, DraftCheckout, UserView } from "../lib/types";

/** What the shopper entered, as typed. */
export type Form = CheckoutForm;

/** The storage key: one for the cart, and one for each draft order. */
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
    // A posted form is newer than the stored one.
    const entered = refusal ? null : session.read(key, isStoredForm);
    const { by = "", ...stored } = entered ?? {};
    if (entered && (by === "" || by === sub)) {
      const isKept = ([name, value]: [string, unknown]) =>
        value || (by === sub && name !== "email");
      setForm({ ...first, ...Object.fromEntries(Object.entries(stored).filter(isKept)) });
    }
  }, [key, refusal, sub, first]);
  useEffect(() => {
    session.write(key, { ...form, by: sub });
  }, [key, form, sub]);
  return { form, change: (part: Partial<Form>) => setForm((before) => ({ ...before, ...part })) };
}

export function forgetForm(draft: DraftCheckout | null): void {
  session.remove(keyOf(draft));
}

const FIELDS: Record<keyof Form, true> = {
  email: true,
  phone: true,
  first_name: true,
  last_name: true,
  company: true,
  line1: true,
  line2: true,
  city: true,
  state: true,
  postal_code: true,
  delivery: true,
  method: true,
  payment: true,
};

const isField = (name: string): name is keyof Form => name in FIELDS;

/** `by` is the id of the account that entered it; empty for a guest. */
function isStoredForm(value: unknown): value is Partial<Form> & { by?: string } {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([key, each]) =>
        (isField(key) || key === "by") && (each === null || typeof each === "string"),
    )
  );
}

export function addressOf(form: Form): Address {
  const { first_name, last_name, company, line1, line2, city, state, postal_code } = form;
  return { first_name, last_name, company, line1, line2, city, state, postal_code, phone: "" };
}

/** Whether the destination is complete enough for a quote. */
export function hasDestination({ state, postal_code }: Form): boolean {
  return state !== "" && /^\d{5}(-\d{4})?$/.test(postal_code.trim());
}
