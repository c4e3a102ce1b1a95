import { useEffect, useLayoutEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address, CheckoutForm, CheckoutPage, DraftCheckout, UserView } from "../lib/types";

/** What the shopper has entered, as typed. */
export type Form = CheckoutForm;

/** That of the cart, or of the order that staff have put together. */
const keyOf = (draft: DraftCheckout | null) =>
  draft ? `shop.checkout.form.${draft.number}` : "shop.checkout.form";

/**
 * The form, kept as long as the tab: a reload loses nothing. What an account has entered is shown to nobody else; what a guest
 * has entered is there after signing in.
 */
export function useForm({ form: first, draft, refusal }: CheckoutPage, user: UserView | null) {
  const key = keyOf(draft);
  const sub = user?.sub ?? "";
  const [form, setForm] = useState<Form>(first);
  useLayoutEffect(() => {
    // What was posted is newer than what was kept.
    const { by = "", ...kept } = (refusal ? null : session.read(key, isKept)) ?? {};
    if (by === "" || by === sub) {
      setForm((before) => ({ ...before, ...kept, email: kept.email || before.email }));
    }
  }, [key, refusal, sub]);
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

/** `by` is the account that has entered it. */
function isKept(value: unknown): value is Partial<Form> & { by?: string } {
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

/** True when the quote can be told where to. */
export function hasDestination({ state, postal_code }: Form): boolean {
  return state !== "" && /^\d{5}(-\d{4})?$/.test(postal_code.trim());
}
