import { formatMoney } from "../../lib/format";
import type { OrderTotals } from "../../lib/types";
import { fromCents, toCents } from "../parts/cents";

export const dollars = (amount: number): string => formatMoney({ amount, currency: "USD" });

/** Cents from `12.5` or `$1,234.50`: null if it is not an amount, 0 if it is empty. */
export const cents = (amountText: string): number | null =>
  amountText.trim() === "" ? 0 : toCents(amountText);

/** The text of an amount in a field: `12.50`, or empty for 0. */
export const amountText = (amount: number): string => (amount === 0 ? "" : fromCents(amount));

/** A row for each tax of an order, or one that says that there is none. */
export const taxRows = ({ tax, taxes }: OrderTotals): [label: string, amount: number][] =>
  taxes.length > 0 ? taxes.map(({ name, amount }) => [name, amount]) : [["Tax", tax]];
