import { formatMoney } from "../lib/format";
import type { OrderLineView, OrderView } from "../lib/types";

/** The texts of the order page for the order's state. */
export interface StatusTexts {
  heading: string;
  lede: string;
  /** What happens next. */
  steps: string[];
}

type OrderState = Pick<
  OrderView,
  | "status"
  | "payment_status"
  | "fulfillment_status"
  | "picked_up"
  | "ready_at"
  | "email"
  | "total"
  | "paid"
  | "refunded"
  | "reclaimed"
  | "paid_in_store"
  | "adult_signature"
> & { lines: Pick<OrderLineView, "canceled">[] };

const CONTACT = "Contact us if you have any questions.";
const SIGNATURE = "An adult 21 or older must sign for the package and show an ID.";

export function statusTexts(order: OrderState, currency: string): StatusTexts {
  const { status, payment_status } = order;
  const money = (amount: number) => formatMoney({ amount, currency });
  if (status === "canceled") {
    return { heading: "This order was canceled", lede: afterCancellation(order), steps: [CONTACT] };
  }
  if (payment_status === "refunded") {
    return {
      heading: "Your order was refunded",
      lede: afterRefund(order),
      steps: [CONTACT],
    };
  }
  return order.picked_up ? pickupTexts(order, money) : shipmentTexts(order);

  function afterRefund({ refunded, paid_in_store }: OrderState): string {
    const banks = paid_in_store ? "" : " Banks can take up to seven days to show it.";
    return `We refunded ${money(refunded)}.${banks}`;
  }

  function afterCancellation({ paid, refunded, reclaimed }: OrderState): string {
    if (paid === 0) return "You weren’t charged.";
    // As in the email: what was refunded before the bank took it is not counted twice.
    const claimed = Math.min(reclaimed, paid - refunded);
    if (claimed <= 0) {
      return refunded >= paid ? afterRefund(order) : "What you paid goes back to you.";
    }
    const bank = `Your bank has claimed back ${money(claimed)}, so we’re not refunding that as well.`;
    if (refunded + claimed < paid) return `${bank} The rest of what you paid goes back to you.`;
    return refunded > 0 ? `${afterRefund(order)} ${bank}` : bank;
  }
}

function pickupTexts(order: OrderState, money: (amount: number) => string): StatusTexts {
  const { fulfillment_status, payment_status, ready_at, total, email } = order;
  const pay = payment_status === "not_paid" ? ` Pay ${money(total)} when you pick it up.` : "";
  if (fulfillment_status === "fulfilled" || fulfillment_status === "delivered") {
    return {
      heading: "Picked up",
      lede: isWhole(order)
        ? "You have your order. Enjoy it."
        : "You have everything that wasn’t canceled. Enjoy it.",
      steps: [],
    };
  }
  if (ready_at !== null) {
    return {
      heading: "Ready for pickup",
      lede: `Your order is waiting in our store. Bring a photo ID.${pay}`,
      steps: [],
    };
  }
  return {
    ...placedTexts(order),
    steps: [
      "We’ll get your order ready.",
      email ? "We’ll email you when it’s ready." : "This page will say when it’s ready.",
      `Come to the store and bring your ID.${pay}`,
    ],
  };
}

function shipmentTexts(order: OrderState): StatusTexts {
  const { fulfillment_status, payment_status, adult_signature, email } = order;
  const sign = adult_signature ? [SIGNATURE] : [];
  switch (fulfillment_status) {
    case "delivered":
      return {
        heading: "Delivered",
        lede: isWhole(order)
          ? "Your order has arrived. Enjoy it."
          : "Everything that wasn’t canceled has arrived. Enjoy it.",
        steps: [],
      };
    case "fulfilled":
      return {
        heading: "Your order is on its way",
        lede: `The carrier has ${isWhole(order) ? "all of it" : "everything that wasn’t canceled"}. Follow it with the tracking number.`,
        steps: sign,
      };
    case "partially_fulfilled":
      return {
        heading: "Part of your order is on its way",
        lede: email ? "We’ll email you when the rest ships." : "The rest will follow.",
        steps: ["We’ll pack the rest.", ...sign],
      };
    default:
      return {
        ...placedTexts(order),
        steps: [
          ...(payment_status === "authorized" ? ["We’ll charge your card."] : []),
          "We’ll pack your order.",
          `${email ? "We’ll email you" : "This page will show"} the tracking number when your package ships.`,
          ...sign,
        ],
      };
  }
}

/** Whether none of its items were canceled. */
function isWhole({ lines }: OrderState): boolean {
  return lines.every(({ canceled }) => canceled === 0);
}

/** Nobody is emailed while email is off, or after the account was deleted: then there is no address. */
function placedTexts({ email }: OrderState): Pick<StatusTexts, "heading" | "lede"> {
  const address = email ? ` and will email ${email} about it` : "";
  return {
    heading: "Thank you",
    lede: `We have your order${address}. Keep this page’s address: it shows how your order stands.`,
  };
}
