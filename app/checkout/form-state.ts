import { useEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address, DraftCheckout } from "../lib/types";

/** What the shopper has entered, as typed. */
export interface Form {
  email: string;
  phone: string;
  first_name: string;
  last_name: string;
  company: string;
  line1: string;
  line2: string;
  city: string;
  state: string;
  postal_code: string;
  /** How the goods reach the shopper. */
  delivery: "ship" | "pickup";
  /** The way of shipping, once chosen. */
  method: string;
  payment: "square" | "pickup" | "";
}

const EMPTY: Form = {
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
  payment: "",
};

/** That of the cart, or of the order that staff have put together. */
const keyOf = (draft: DraftCheckout | null) =>
  draft ? `shop.checkout.form.${draft.number}` : "shop.checkout.form";

/** The form, kept as long as the tab: a reload loses nothing. */
export function useForm(email: string, draft: DraftCheckout | null) {
  const key = keyOf(draft);
  const [form, setForm] = useState<Form>(() => {
    const kept = session.read(key, isForm);
    const given = { ...EMPTY, ...(draft && formOf(draft)), ...kept };
    return { ...given, email: given.email || email };
  });
  useEffect(() => {
    session.write(key, form);
  }, [key, form]);
  return { form, change: (part: Partial<Form>) => setForm((before) => ({ ...before, ...part })) };
}

export function forgetForm(draft: DraftCheckout | null): void {
  session.remove(keyOf(draft));
}

/** What staff have entered already. */
function formOf({ email, phone, address, shipping_method }: DraftCheckout): Partial<Form> {
  const { phone: _, ...place } = address;
  const picksUp = shipping_method === "pickup";
  return {
    ...place,
    email,
    phone,
    delivery: picksUp ? "pickup" : "ship",
    method: picksUp ? "" : shipping_method,
  };
}

function isForm(value: unknown): value is Partial<Form> {
  return (
    isRecord(value) &&
    Object.entries(value).every(([key, each]) => key in EMPTY && typeof each === "string")
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
