import { formatMoney } from "../../lib/format";

/** `$1,234.50` from 123450. */
export const dollars = (cents: number): string => formatMoney({ amount: cents, currency: "USD" });

/** 1250 from `12.5`; null if it is not an amount. Commas only separate thousands: `49,90` may be meant as 49.90. */
export function toCents(text: string): number | null {
  const match = /^\$?\s*(\d{1,7}|\d{1,3},\d{3}|\d,\d{3},\d{3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, dollars = "", cents = ""] = match;
  return Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
}

/** As `toCents`; -1, which the server refuses, if it is not an amount. */
export const centsOrInvalid = (text: string): number => toCents(text) ?? -1;

/** `12.50` from 1250; empty without an amount. */
export function fromCents(cents: number | null): string {
  if (cents === null || cents < 0) return "";
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
