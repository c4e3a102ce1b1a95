import { formatDate, formatMoney } from "../lib/format";
import type { CancelReason, MailLine, MailTotals } from "../lib/types";
import {
  type Block,
  button,
  type Content,
  facts,
  type MailOf,
  notice,
  paragraph,
  type Sender,
} from "./content";

const SIGNATURE =
  "Somebody aged 21 or older must be at the address, show a photo ID and sign for the parcel. The carrier does not leave it at the door.";

export function orderConfirmation(
  mail: MailOf<"order_confirmation">,
  { origin, company }: Sender,
): Content {
  const { number, lines, totals, address, adult_signature } = mail;
  return {
    subject: `Your order ${number}`,
    preheader: `Thank you. We have your order of ${formatMoney(totals.total)}.`,
    heading: "Thank you for your order",
    blocks: [
      paragraph(
        `${company.name} has received your order. We write again when it is ${address.length > 0 ? "on its way" : "ready to be picked up"}.`,
      ),
      facts([
        { label: "Order", value: number },
        { label: "Placed on", value: formatDate(mail.placed_on) },
        { label: "Delivery", value: mail.shipping_method },
        { label: "Payment", value: mail.payment },
      ]),
      goods("What you ordered", lines),
      { type: "totals", rows: totalRows(totals) },
      ...deliveryTo(address),
      ...(adult_signature ? [notice(SIGNATURE)] : []),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderShipped(mail: MailOf<"order_shipped">, { origin }: Sender): Content {
  const { number, carrier, tracking_number, tracking_url, adult_signature } = mail;
  return {
    subject: `Your order ${number} is on its way`,
    preheader: `${carrier} has the parcel: ${tracking_number}.`,
    heading: "Your parcel is on its way",
    blocks: [
      paragraph(`We have handed a parcel of your order ${number} to ${carrier}.`),
      facts([
        { label: "Carrier", value: carrier },
        { label: "Tracking number", value: tracking_number },
      ]),
      ...(tracking_url?.startsWith("https://") ? [button("Track the parcel", tracking_url)] : []),
      ...(adult_signature ? [notice(SIGNATURE)] : []),
      goods("In this parcel", mail.lines),
      ...deliveryTo(mail.address),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderRefunded(mail: MailOf<"order_refunded">, { origin }: Sender): Content {
  const amount = formatMoney(mail.amount);
  return {
    subject: `Refund for your order ${mail.number}`,
    preheader: `We have refunded ${amount}.`,
    heading: "Your refund",
    blocks: [
      paragraph(
        `We have refunded ${amount} for your order ${mail.number}. Banks usually take up to seven days to show it.`,
      ),
      facts([
        { label: "Amount", value: amount },
        { label: "To", value: mail.payment },
        ...(mail.reason ? [{ label: "Reason", value: mail.reason }] : []),
      ]),
      ...(mail.lines.length > 0 ? [goods("Refunded", mail.lines)] : []),
      button("View your order", origin + mail.order_path),
    ],
  };
}

const REASONS: Record<CancelReason, string> = {
  customer: "as you asked us to",
  shop: "because we cannot carry it out",
  out_of_stock: "because something in it was sold out before we could reserve it for you",
  expired: "because its time ran out",
};

export function orderCanceled(
  mail: MailOf<"order_canceled">,
  { origin, company }: Sender,
): Content {
  const { number, reason, refund } = mail;
  const money = refund
    ? `We have refunded ${formatMoney(refund)}. Banks usually take up to seven days to show it.`
    : "You have not been charged.";
  const expired = reason === "expired";
  return {
    subject: expired ? `Your order ${number} has expired` : `Your order ${number} was canceled`,
    preheader: money,
    heading: expired ? "Your order has expired" : "Your order was canceled",
    blocks: [
      paragraph(`We have canceled your order ${number} ${REASONS[reason]}.`),
      paragraph(money),
      goods("What you had ordered", mail.lines),
      ...(reason === "out_of_stock" ? [paragraph("We are sorry. Nothing else is needed.")] : []),
      paragraph(`If you have a question, answer this mail or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

/** What somebody has typed, with empty lines between its paragraphs. */
function written(text: string) {
  return text
    .split(/\n{2,}/)
    .filter(Boolean)
    .map(paragraph);
}

export function orderReturnApproved(
  mail: MailOf<"order_return_approved">,
  { origin, company }: Sender,
): Content {
  return {
    subject: `You may return goods of your order ${mail.number}`,
    preheader: "We look forward to what you send back.",
    heading: "Your return is approved",
    blocks: [
      paragraph(
        `Send the goods to the address below and put a note with the number ${mail.number} into the parcel. We refund them when they have arrived.`,
      ),
      goods("What you may send back", mail.lines),
      { type: "address", title: "Where to", lines: [company.name, company.address] },
      paragraph(`If you have a question, answer this mail or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderReturnRejected(
  mail: MailOf<"order_return_rejected">,
  { origin, company }: Sender,
): Content {
  return {
    subject: `About the return for your order ${mail.number}`,
    preheader: "We cannot take back what you wanted to return.",
    heading: "About your return",
    blocks: [
      paragraph(
        `We are sorry: we cannot take back what you wanted to return of your order ${mail.number}.`,
      ),
      ...written(mail.message),
      goods("What it is about", mail.lines),
      paragraph(`If you have a question, answer this mail or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderToPay(mail: MailOf<"order_to_pay">, { origin, company }: Sender): Content {
  const { number, message, lines, totals, address, adult_signature } = mail;
  const day = formatDate(mail.good_until);
  return {
    subject: `Your order ${number} is ready to be paid`,
    preheader: totals
      ? `${formatMoney(totals.total)}, to be paid until ${day}.`
      : `To be paid until ${day}.`,
    heading: "An order for you",
    blocks: [
      paragraph(
        `${company.name} has put this order together for you. Open the link to look at it, to correct your address if need be, and to pay.`,
      ),
      ...written(message),
      button("Look at it and pay", origin + mail.pay_path),
      facts([
        { label: "Number", value: number },
        { label: "Prices hold until", value: day },
        { label: "Delivery", value: mail.shipping_method },
      ]),
      goods("What is in it", lines),
      ...(totals ? [{ type: "totals" as const, rows: totalRows(totals) }] : []),
      ...deliveryTo(address),
      notice(
        "Nothing is put aside until it is paid. Shipping and tax are worked out for the address that you give when you pay. You must be 21 or older.",
      ),
      ...(adult_signature ? [notice(SIGNATURE)] : []),
      paragraph(
        `Whoever has this link can pay the order and sees your address. If you do not know what this is about, write to ${company.email}.`,
      ),
    ],
  };
}

export function pickupToConfirm(
  mail: MailOf<"pickup_to_confirm">,
  { origin, company }: Sender,
): Content {
  const { lines, total, good_until, confirm_path } = mail;
  return {
    subject: "Confirm your pickup order",
    preheader: `We hold the goods for you until ${good_until}.`,
    heading: "One more step",
    blocks: [
      paragraph(
        `Somebody, we hope you, wants to pick these goods up at ${company.name} and pay in the store. Confirm it, and the order is placed.`,
      ),
      button("Confirm the order", origin + confirm_path),
      goods("What we hold for you", lines),
      facts([
        { label: "Total at pickup", value: formatMoney(total) },
        { label: "Held until", value: good_until },
      ]),
      paragraph(
        "If you did not ask for this, do nothing: nothing is ordered, and we do not write about it again.",
      ),
    ],
  };
}

export function orderPickupReminder(
  mail: MailOf<"order_pickup_reminder">,
  { origin, company }: Sender,
): Content {
  const day = formatDate(mail.last_day);
  return {
    subject: `Your order ${mail.number} is waiting for you`,
    preheader: `We hold it until ${day}.`,
    heading: "Your order is waiting",
    blocks: [
      paragraph(
        `Your order ${mail.number} waits in our store. We hold it until ${day}; after that we cancel it, at no charge, and the goods go back on the shelf.`,
      ),
      goods("What waits for you", mail.lines),
      facts([{ label: "Total at pickup", value: formatMoney(mail.total) }]),
      { type: "address", title: "Where", lines: [company.name, company.address] },
      notice("Bring a photo ID: you must be 21 or older."),
      paragraph(`If you need more time, answer this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

function goods(title: string, lines: MailLine[]): Block {
  const rows = lines.map(({ title, variant, quantity, amount }) => ({
    title,
    note: [variant, `Quantity ${quantity}`].filter(Boolean).join(" · "),
    amount: formatMoney(amount),
  }));
  return { type: "lines", title, rows };
}

function deliveryTo(lines: string[]): Block[] {
  return lines.length > 0 ? [{ type: "address", title: "Delivery address", lines }] : [];
}

function totalRows({ subtotal, discounts, shipping, taxes, total }: MailTotals) {
  const rows = [
    { label: "Subtotal", amount: subtotal },
    ...discounts,
    { label: "Shipping", amount: shipping },
    ...taxes,
  ];
  return [
    ...rows.map(({ label, amount }) => ({ label, value: formatMoney(amount) })),
    { label: "Total", value: formatMoney(total), strong: true },
  ];
}
