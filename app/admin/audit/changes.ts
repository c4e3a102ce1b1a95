import { capital } from "../parts/capital";
import { dollars } from "../parts/cents";

type Fields = Record<string, unknown>;

/** A changed field with its old and new value as text. */
export interface ChangedField {
  name: string;
  before: string | null;
  after: string | null;
}

/** Fields whose numbers are cents. */
const MONEY =
  /^(amount|shipping|extra|tax|total|subtotal|min_subtotal|price|compare_at_price|unit_price|prices|per_unit|expected_amount|minimum|fee|signature_fee)$/;
/** Fields whose numbers are parts per million. */
const RATE = /^(rate|ppm)$/;

/** `Order: change address` from `order.change_address`. */
export function actionText(action: string): string {
  const [noun = "", ...verb] = action.split(".");
  return [capital(plain(noun)), plain(verb.join(" "))].filter(Boolean).join(": ");
}

/** The fields that differ. Of a list that exists in both, only the entries that differ. What is equal only explains another field. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const isEqual = (name: string) =>
    name in old && name in now && JSON.stringify(old[name]) === JSON.stringify(now[name]);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => !isEqual(name))
    .map((name) => {
      const [was, is] = differing(old[name], now[name]);
      return {
        name: capital(plain(name)),
        before: name in old ? valueText(name, was, old) : null,
        after: name in now ? valueText(name, is, now) : null,
      };
    });
}

/** A value as text. `fields`: those beside it. */
export function valueText(name: string, value: unknown, fields: Fields = {}): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return numberText(name, value, fields);
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.length === 0 ? "nothing" : value.map((each) => valueText(name, each)).join("; ");
  return Object.entries(value)
    .filter(([, each]) => each !== null && each !== "")
    .map(([field, each]) => `${plain(field)} ${valueText(field, each)}`)
    .join(", ");
}

/** Enough for all but the longest values, such as the ZIP codes of a state. */
const SHOWN_CHARACTERS = 2_000;

/** A value's text as the log shows it. */
export function shortened(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  // Half a surrogate pair would be another character in the document, so the page would not hydrate.
  const start = text.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… Download the list to see all of it.`;
}

function numberText(name: string, value: number, { kind }: Fields): string {
  if (RATE.test(name)) return `${value / 10_000}%`;
  // Of a promo code.
  if (name === "value" && kind === "percent") return `${value / 100}%`;
  if (MONEY.test(name) || (name === "value" && kind === "amount")) return dollars(value);
  if (name.endsWith("_at") && value > 1e12)
    return `${new Date(value).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return String(value);
}

function differing(was: unknown, is: unknown): [unknown, unknown] {
  if (!Array.isArray(was) || !Array.isArray(is)) return [was, is];
  const texts = (list: unknown[]) => new Set(list.map((each) => JSON.stringify(each)));
  const [old, now] = [texts(was), texts(is)];
  const differ = (list: unknown[], other: Set<string>) =>
    list.filter((each) => !other.has(JSON.stringify(each)));
  const remaining = [differ(was, now), differ(is, old)] as const;
  // The same entries in a different order.
  return remaining[0].length + remaining[1].length === 0 ? [was, is] : [remaining[0], remaining[1]];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function plain(name: string): string {
  return name.replaceAll("_", " ");
}
