import type { TaxAmount } from "../../lib/types";
import { fromCents, toCents } from "../parts/cents";

/** Cents from `12.5` or `$1,234.50`: null if it is not an amount, 0 if it is empty. */
export const cents = (amountText: string): number | null =>
  amountText.trim() === "" ? 0 : toCents(amountText);

/** The text of an amount in a field: `12.50`, or empty for 0. */
export const amountText = (amount: number): string => (amount === 0 ? "" : fromCents(amount));

interface Taxed<Amount> {
  tax: Amount;
  taxes: TaxAmount[];
  tax_name?: string | null;
}

/** A row for each tax of an order or a quote, or one that says that there is none, or that it is not known yet. */
export const taxRows = <Amount extends number | null>({
  tax,
  taxes,
  tax_name,
}: Taxed<Amount>): [label: string, amount: number | Amount][] =>
  taxes.length > 0 ? taxes.map(({ name, amount }) => [name, amount]) : [[tax_name ?? "Tax", tax]];
