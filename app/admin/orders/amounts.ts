import { formatMoney } from "../../lib/format";

export const dollars = (amount: number): string => formatMoney({ amount, currency: "USD" });

/** Cents from `12.5` or `$1,234.50`: null if it is not an amount, 0 if it is empty. */
export function cents(amountText: string): number | null {
  const plain = amountText.replace(/[$,\s]/g, "");
  if (plain === "") return 0;
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(plain);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** The text of an amount in a field: `12.50`, or empty for 0. */
export const amountText = (amount: number): string =>
  amount === 0 ? "" : (amount / 100).toFixed(2);
