import type { Address } from "./types";

/** The text in a field; empty if there is none. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The value chosen in a field that offers only these. */
export function choice<const Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value {
  const value = values.find((each) => each === form.get(name));
  if (value === undefined) throw new Error(`Nothing is chosen in ${name}`);
  return value;
}

/** The address in a form's fields. */
export const addressOf = (form: FormData): Address => ({
  first_name: text(form, "first_name"),
  last_name: text(form, "last_name"),
  company: text(form, "company"),
  line1: text(form, "line1"),
  line2: text(form, "line2"),
  city: text(form, "city"),
  state: text(form, "state"),
  postal_code: text(form, "postal_code"),
  phone: text(form, "phone"),
});
