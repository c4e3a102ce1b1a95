import { useEffect, useState } from "react";
import { isRecord, session } from "../lib/storage";
import type { Address } from "../lib/types";

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

const FORM_KEY = "shop.checkout.form";

/** The form, kept as long as the tab: a reload loses nothing. */
export function useForm(email: string) {
  const [form, setForm] = useState<Form>(() => {
    const kept = session.read(FORM_KEY, isForm);
    return { ...EMPTY, ...kept, email: kept?.email || email };
  });
  useEffect(() => {
    session.write(FORM_KEY, form);
  }, [form]);
  return { form, change: (part: Partial<Form>) => setForm((before) => ({ ...before, ...part })) };
}

export function forgetForm(): void {
  session.remove(FORM_KEY);
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
