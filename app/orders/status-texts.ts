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

  function afterCancellation({ paid, refunded }: OrderState): string {
    if (paid === 0) return "You were not charged.";
    return refunded >= paid ? afterRefund(order) : "What you paid goes back to you.";
  }
}

function pickupTexts(order: OrderState, money: (amount: number) => string): StatusTexts {
  const { fulfillment_status, payment_status, ready_at, total } = order;
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
      "We get your order ready within one business day.",
      "We email you when it is ready.",
      `You come to the store and show your ID.${pay}`,
    ],
  };
}

function shipmentTexts(order: OrderState): StatusTexts {
  const { fulfillment_status, payment_status, adult_signature } = order;
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
        lede: "We email you when the rest ships.",
        steps: ["We pack the rest.", ...sign],
      };
    default:
      return {
        ...placedTexts(order),
        steps: [
          ...(payment_status === "authorized" ? ["We charge your card."] : []),
          "We pack your order within one business day.",
          "We email you the tracking number when your package ships.",
          ...sign,
        ],
      };
  }
}

/** Whether none of its items were canceled. */
function isWhole({ lines }: OrderState): boolean {
  return lines.every(({ canceled }) => canceled === 0);
}

function placedTexts({ email }: OrderState): Pick<StatusTexts, "heading" | "lede"> {
  const address = email ? ` and will email ${email} about it` : "";
  return {
    heading: "Thank you",
    lede: `We have your order${address}. Keep this page’s address: it shows how your order stands.`,
  };
}
