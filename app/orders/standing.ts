import { formatMoney } from "../lib/format";
import type { OrderView } from "../lib/types";

/** The texts of the order page for the order's state. */
export interface Standing {
  heading: string;
  lede: string;
  /** What happens next. */
  steps: string[];
}

type Stands = Pick<
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
  | "adult_signature"
>;

const ASK = "Contact us if you have any questions.";
const SIGN = "An adult 21 or older must sign for the package and show an ID.";

export function standingOf(order: Stands, currency: string): Standing {
  const { status, payment_status } = order;
  const money = (amount: number) => formatMoney({ amount, currency });
  if (status === "canceled") {
    return { heading: "This order was canceled", lede: afterCancellation(order), steps: [ASK] };
  }
  if (payment_status === "refunded") {
    return {
      heading: "Your order was refunded",
      lede: `We refunded ${money(order.refunded)}. Banks can take up to seven days to show it.`,
      steps: [ASK],
    };
  }
  return order.picked_up ? ofPickup(order, money) : ofShipment(order);

  function afterCancellation({ paid, refunded }: Stands): string {
    if (refunded > 0) {
      return `We refunded ${money(refunded)}. Banks can take up to seven days to show it.`;
    }
    return paid > 0 ? "What you paid goes back to you." : "You were not charged.";
  }
}

function ofPickup(order: Stands, money: (amount: number) => string): Standing {
  const { fulfillment_status, payment_status, ready_at, total } = order;
  const pay = payment_status === "not_paid" ? ` Pay ${money(total)} when you pick it up.` : "";
  if (fulfillment_status === "fulfilled" || fulfillment_status === "delivered") {
    return { heading: "Picked up", lede: "You have your order. Enjoy it.", steps: [] };
  }
  if (ready_at !== null) {
    return {
      heading: "Ready for pickup",
      lede: `Your order is waiting in our store. Bring a photo ID.${pay}`,
      steps: [],
    };
  }
  return {
    ...placed(order),
    steps: [
      "We get your order ready within one business day.",
      "We email you when it is ready.",
      `You come to the store and show your ID.${pay}`,
    ],
  };
}

function ofShipment(order: Stands): Standing {
  const { fulfillment_status, payment_status, adult_signature } = order;
  const sign = adult_signature ? [SIGN] : [];
  switch (fulfillment_status) {
    case "delivered":
      return { heading: "Delivered", lede: "Your order has arrived. Enjoy it.", steps: [] };
    case "fulfilled":
      return {
        heading: "Your order is on its way",
        lede: "The carrier has all of it. Follow it with the tracking number.",
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
        ...placed(order),
        steps: [
          ...(payment_status === "authorized" ? ["We charge your card."] : []),
          "We pack your order within one business day.",
          "We email you the tracking number when your package ships.",
          ...sign,
        ],
      };
  }
}

function placed({ email }: Stands): Pick<Standing, "heading" | "lede"> {
  const address = email ? ` and will email ${email} about it` : "";
  return {
    heading: "Thank you",
    lede: `We have your order${address}. Keep this page's address: it shows how your order stands.`,
  };
}
