import type { QuoteState } from "../lib/quote";
import type { Address, ProviderName, QuoteRequest } from "../lib/types";
import { type CardForm, tokenOf, type VerificationDetails } from "./card";
import type { Form } from "./form-state";
import type { Order, Refusal } from "./payment-flow";

export interface Prepared {
  form: Form;
  address: Address;
  items: QuoteRequest["items"];
  quoteState: QuoteState;
  payment: ProviderName | null;
  promo_code: string | null;
  shipping_method: string;
  /** The account for which the page was shown. */
  user_id: string | undefined;
  card: CardForm | null;
}

/** The request for a click on Pay, with the card's token, or the reason why it cannot be sent. */
export async function prepareOrder(prepared: Prepared): Promise<Order | Refusal> {
  const { form, address, items, quoteState, payment, promo_code, shipping_method, card } = prepared;
  const { quote } = quoteState;
  if (!quote || quoteState.error)
    return refused(quoteState.error ?? "The total isn’t ready yet.", "quote");
  const order: Order = {
    items,
    // A code that was refused takes nothing off the total on the button, and does not prevent the order.
    promo_code: quoteState.fresh && !quote.promo ? null : promo_code,
    email: form.email,
    phone: form.phone,
    address,
    shipping_method,
    user_id: prepared.user_id ?? null,
    payment_method: payment || "square",
    source_id: "",
    expected_total: 0,
    expected_subtotal: quote.subtotal,
    expected_units: quote.units,
  };
  // No input can fix these problems; those of fields are for the server to say. A draft order's code is not the shopper's own.
  // With an outdated quote, the server decides.
  const problem = quote.problems.find(
    ({ code }) => !code.startsWith("address.") && !(code === "promo_code" && promo_code),
  );
  if (quoteState.fresh && problem) return refused(problem.message, "quote");
  // The server reports missing fields; the card is not verified before the form is complete.
  if (!isComplete(form)) return order;
  if (quote.total === null) return order;
  order.expected_total = quote.total;
  if (payment !== "square" || quote.total === 0) return order;
  if (!card) return refused("The card form isn’t ready yet. Try again in a moment.");
  const result = await tokenOf(card, verification(form, quote.total)).catch(() => ({
    problem: "We couldn’t verify your card. Nothing was charged. Try again or use another card.",
  }));
  if ("problem" in result) return refused(result.problem);
  return { ...order, source_id: result.token };
}

function refused(message: string, kind: Refusal["kind"] = "form"): Refusal {
  return { kind, message, fields: {} };
}

function isComplete(form: Form): boolean {
  const names = ["email", "first_name", "last_name"] as const;
  const place = ["line1", "city", "state", "postal_code"] as const;
  const needed = form.delivery === "ship" ? [...names, ...place] : names;
  return needed.every((name) => form[name].trim() !== "");
}

function verification(form: Form, total: number): VerificationDetails {
  const contact = {
    givenName: form.first_name.trim(),
    familyName: form.last_name.trim(),
    email: form.email.trim(),
    phone: form.phone.trim(),
    addressLines: [form.line1.trim(), form.line2.trim()].filter(Boolean),
    city: form.city.trim(),
    state: form.state,
    postalCode: form.postal_code.trim(),
    countryCode: "US",
  };
  return {
    amount: (total / 100).toFixed(2),
    currencyCode: "USD",
    intent: "CHARGE",
    customerInitiated: true,
    sellerKeyedIn: false,
    billingContact: Object.fromEntries(
      Object.entries(contact).filter(([, value]) => value.length > 0),
    ),
  };
}
