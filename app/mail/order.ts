import { formatDate, formatMoney } from "../lib/format";
import type { CancelReason, MailLine, MailTotals, OrderMail } from "../lib/types";
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
  "Someone 21 or older must be there to show a photo ID and sign for the package. The carrier won’t leave it at the door.";
const ID = "Bring a valid photo ID. You must be 21 or older to pick up an order.";

export function orderConfirmation(
  mail: MailOf<"order_confirmation">,
  { origin, company }: Sender,
): Content {
  const { number, lines, totals, address, adult_signature, is_open, is_canceled } = mail;
  const news = is_open
    ? ` We’ll email you again when it’s ${address.length > 0 ? "on its way" : "ready for pickup"}.`
    : is_canceled
      ? " It has been canceled since."
      : "";
  // Nobody comes to pick up what isn’t there.
  const pickup = is_open ? pickupAt(company) : [];
  return {
    subject: `Your order ${number}`,
    preheader: `Thank you. We have your order for ${formatMoney(totals.total)}.`,
    heading: "Thank you for your order",
    blocks: [
      paragraph(`${company.name} has received your order.${news}`),
      facts([
        { label: "Order", value: number },
        { label: "Order date", value: formatDate(mail.placed_on) },
        { label: address.length > 0 ? "Delivery" : "Pickup", value: mail.shipping_method },
        { label: "Payment", value: mail.payment },
      ]),
      goods("What you ordered", lines),
      { type: "totals", rows: totalRows(mail, totals) },
      ...(address.length > 0 ? deliveryTo(address, adult_signature) : pickup),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderShipped(mail: MailOf<"order_shipped">, { origin }: Sender): Content {
  const { number, carrier, tracking_number, tracking_url, adult_signature } = mail;
  const page = tracking_url?.startsWith("https://") ? tracking_url : undefined;
  return {
    subject: `Your order ${number} is on its way`,
    preheader: `${carrier} has your package: ${tracking_number}.`,
    heading: "Your package is on its way",
    blocks: [
      paragraph(`We’ve handed a package from your order ${number} to ${carrier}.`),
      facts([
        { label: "Carrier", value: carrier },
        { label: "Tracking number", value: tracking_number, ...(page && { href: page }) },
      ]),
      ...(page ? [button("Track package", page)] : []),
      goods("In this package", mail.lines),
      ...deliveryTo(mail.address, adult_signature),
      button("View your order", origin + mail.order_path),
    ],
  };
}

const SEVEN_DAYS = " It can take up to seven days to show up on your statement.";

export function orderRefunded(mail: MailOf<"order_refunded">, { origin }: Sender): Content {
  const amount = formatMoney(mail.amount);
  return {
    subject: `Refund for your order ${mail.number}`,
    preheader: `We’ve refunded ${amount}.`,
    heading: "Your refund",
    blocks: [
      paragraph(
        `We’ve refunded ${amount} for your order ${mail.number}.${mail.in_store ? "" : SEVEN_DAYS}`,
      ),
      facts([
        { label: "Amount", value: amount },
        { label: "To", value: mail.payment },
        ...(mail.reason ? [{ label: "Reason", value: mail.reason }] : []),
      ]),
      ...(mail.lines.length > 0 ? [goods("Refunded", mail.lines)] : []),
      ...(mail.order_path ? [button("View your order", origin + mail.order_path)] : []),
    ],
  };
}

const REASONS: Record<CancelReason, string> = {
  customer: " as you asked us to",
  // Which reason staff had is not known.
  shop: "",
  out_of_stock: " because an item sold out before we could reserve it for you",
  expired: " because it wasn’t picked up",
  payment_failed: " because the payment didn’t go through",
};

export function orderCanceled(
  mail: MailOf<"order_canceled">,
  { origin, company }: Sender,
): Content {
  const { number, reason } = mail;
  const money = givenBack(mail);
  return {
    subject: `Your order ${number} was canceled`,
    preheader: money,
    heading: "Your order was canceled",
    blocks: [
      paragraph(`We’ve canceled your order ${number}${REASONS[reason]}.`),
      paragraph(money),
      goods("What you ordered", mail.lines),
      ...(reason === "expired" ? [paragraph("You can place a new order at any time.")] : []),
      ...(reason === "out_of_stock"
        ? [paragraph("We’re sorry. You don’t need to do anything else.")]
        : []),
      paragraph(`If you have any questions, reply to this email or write to ${company.email}.`),
      ...(mail.order_path ? [button("View your order", origin + mail.order_path)] : []),
    ],
  };
}

export function orderGoodsCanceled(
  mail: MailOf<"order_goods_canceled">,
  { origin, company }: Sender,
): Content {
  const refund = mail.refund && `We’re refunding ${formatMoney(mail.refund)} for them.`;
  const before = mail.refunded_before ? " This doesn’t include anything we refunded before." : "";
  const money = refund
    ? refund + before
    : "There’s nothing to refund for them: they cost you nothing, or the money was returned before, by us or through your bank.";
  return {
    subject: `Part of your order ${mail.number} was canceled`,
    preheader: refund ?? "There’s nothing to refund for it.",
    heading: "Some items were canceled",
    blocks: [
      paragraph(`We’ve canceled the items below from your order ${mail.number}. ${money}`),
      goods("Canceled items", mail.lines),
      paragraph(`If you have any questions, reply to this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

function givenBack({ refund, reclaimed, in_store }: MailOf<"order_canceled">): string {
  const where = in_store ? ", in our store." : `.${SEVEN_DAYS}`;
  const parts = [
    refund && `We’re refunding ${formatMoney(refund)} in all${where}`,
    reclaimed &&
      `Your bank has claimed back ${formatMoney(reclaimed)}, so we’re not refunding that as well.`,
  ];
  return parts.filter(Boolean).join(" ") || "You weren’t charged.";
}

/** Paragraphs of a text that is typed with empty lines between them. */
function paragraphsOf(text: string) {
  return text
    .split(/\n{2,}/)
    .filter(Boolean)
    .map(paragraph);
}

export function orderReturnApproved(
  mail: MailOf<"order_return_approved">,
  { origin, company }: Sender,
): Content {
  const { number, lines, stays } = mail;
  return {
    subject: `Return approved for your order ${number}`,
    preheader:
      lines.length > 0
        ? "Here’s how to send your items back."
        : "Please don’t send your items back: they’re hazardous in transport.",
    heading: "Your return is approved",
    blocks: [
      ...(lines.length > 0 ? sentBack(mail, company) : []),
      ...(stays.length > 0 ? kept(stays, company) : []),
      paragraph(`If you have any questions, reply to this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

function sentBack(
  { number, lines, refund, in_store }: MailOf<"order_return_approved">,
  { name, address }: Sender["company"],
): Block[] {
  const bring = in_store ? ", or bring them to our store" : "";
  const where = in_store ? " in our store" : "";
  const promise = refund
    ? ` We’ll refund you up to ${formatMoney(refund)}${where} when they arrive.`
    : "";
  return [
    paragraph(
      `Send the items to the address below and put a note with your order number, ${number}, in the package${bring}.${promise}`,
    ),
    goods("Items to return", lines),
    { type: "address", title: "Send to", lines: [name, address] },
  ];
}

/** Carriers take what is hazardous in transport only from senders who are trained to pack and mark it. */
function kept(lines: MailLine[], { email }: Sender["company"]): Block[] {
  return [
    notice(
      `Don’t mail the items below or hand them to a carrier: they’re hazardous in transport. Keep them, and write to ${email}. We’ll tell you what to do with them.`,
    ),
    goods("Items to keep", lines),
  ];
}

export function orderReturnRejected(
  mail: MailOf<"order_return_rejected">,
  { origin, company }: Sender,
): Content {
  return {
    subject: `About the return for your order ${mail.number}`,
    preheader: "We can’t accept this return.",
    heading: "About your return",
    blocks: [
      paragraph(
        `We’re sorry, but we can’t accept the return you requested for your order ${mail.number}.`,
      ),
      ...paragraphsOf(mail.message),
      goods("Items", mail.lines),
      paragraph(`If you have any questions, reply to this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderToPay(mail: MailOf<"order_to_pay">, { origin, company }: Sender): Content {
  const { number, message, lines, totals, address, adult_signature } = mail;
  const day = formatDate(mail.good_until);
  const ships = address.length > 0;
  return {
    subject: `Your order ${number} is ready for payment`,
    preheader: totals ? `${formatMoney(totals.total)}, due by ${day}.` : `Due by ${day}.`,
    heading: "Review and pay for your order",
    blocks: [
      paragraph(
        `${company.name} has prepared this order for you. Open the link to review it${ships ? ", correct your address if needed," : ""} and pay.`,
      ),
      ...paragraphsOf(message),
      button("Review and pay", origin + mail.pay_path),
      facts([
        { label: "Number", value: number },
        { label: "Prices good until", value: day },
        { label: ships ? "Delivery" : "Pickup", value: mail.shipping_method },
      ]),
      goods("Items", lines),
      ...(totals ? [{ type: "totals" as const, rows: totalRows(mail, totals) }] : []),
      ...(ships
        ? deliveryTo(address, adult_signature)
        : pickupAt(company, "After you pay, pick up at")),
      notice(
        `We don’t set items aside until you pay.${ships ? " Shipping and tax are calculated for the address you enter when you pay." : ""} You must be 21 or older.`,
      ),
      paragraph(
        `Anyone with this link can pay for the order and see your contact details. If you weren’t expecting this, email ${company.email}.`,
      ),
    ],
  };
}

export function pickupToConfirm(
  mail: MailOf<"pickup_to_confirm">,
  { origin, company }: Sender,
): Content {
  const { lines, total, picked_up, good_until, confirm_path } = mail;
  const pay = total.amount > 0 ? " and pay in the store" : "";
  const wish = picked_up
    ? `pick up these items at ${company.name}${pay}`
    : `have these items shipped by ${company.name}`;
  return {
    subject: picked_up ? "Confirm your pickup order" : "Confirm your order",
    preheader: `We’ll hold your items until ${good_until}.`,
    heading: "One more step",
    blocks: [
      paragraph(`Someone, hopefully you, asked to ${wish}. Confirm to place the order.`),
      button("Confirm order", origin + confirm_path),
      goods("Items on hold for you", lines),
      facts([
        { label: picked_up ? "Total at pickup" : "Total", value: formatMoney(total) },
        { label: "On hold until", value: good_until },
      ]),
      paragraph(
        "If you didn’t ask for this, just ignore this email. No order will be placed, and we won’t email you about it again.",
      ),
    ],
  };
}

export function orderPickupReady(
  mail: MailOf<"order_pickup_ready">,
  { origin, company }: Sender,
): Content {
  const { number, to_pay, last_day } = mail;
  return {
    subject: `Your order ${number} is ready for pickup`,
    preheader: `It’s waiting for you at ${company.name}.`,
    heading: "Ready for pickup",
    blocks: [
      paragraph(`Your order ${number} is ready. Come and pick it up in our store.`),
      ...(last_day ? [paragraph(`We’ll hold it until ${formatDate(last_day)}.`)] : []),
      ...pickupAt(company),
      goods("Items waiting for you", mail.lines),
      ...(to_pay ? [facts([{ label: "To pay at pickup", value: formatMoney(to_pay) }])] : []),
      paragraph(`If you have any questions, reply to this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderPickupReadyUndone(
  mail: MailOf<"order_pickup_ready_undone">,
  { origin, company }: Sender,
): Content {
  const { number } = mail;
  return {
    subject: `Correction: your order ${number} isn’t ready yet`,
    preheader: "We’ll email you when it’s ready for pickup.",
    heading: "Not ready yet",
    blocks: [
      paragraph(
        `We told you that your order ${number} is ready for pickup. That was our mistake: please don’t come for it yet. We’ll email you when it’s ready.`,
      ),
      goods("Not ready yet", mail.lines),
      paragraph(`We’re sorry for the confusion. If you have questions, email ${company.email}.`),
      button("View your order", origin + mail.order_path),
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
    preheader: `We’ll hold it until ${day}.`,
    heading: "Your order is waiting",
    blocks: [
      paragraph(
        `Your order ${mail.number} is waiting at our store. We’ll hold it until ${day}. After that we’ll cancel it at no charge and return the items to the shelf.`,
      ),
      goods("Items waiting for you", mail.lines),
      facts([{ label: "Total at pickup", value: formatMoney(mail.total) }]),
      ...pickupAt(company),
      paragraph(`If you need more time, reply to this email or write to ${company.email}.`),
      button("View your order", origin + mail.order_path),
    ],
  };
}

export function orderShipmentUndone(
  mail: MailOf<"order_shipment_undone">,
  { origin, company }: Sender,
): Content {
  const { number, carrier, tracking_number } = mail;
  return {
    subject: `Correction: part of your order ${number} hasn’t shipped yet`,
    preheader: "We’ll email you when it ships.",
    heading: "Not shipped yet",
    blocks: [
      paragraph(
        `We told you that a package of your order ${number} had shipped with ${carrier}, tracking number ${tracking_number}. That was our mistake: it hasn’t left yet. We’ll email you when it ships.`,
      ),
      goods("Not shipped yet", mail.lines),
      paragraph(`We’re sorry for the confusion. If you have questions, email ${company.email}.`),
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

function deliveryTo(lines: string[], adult_signature: boolean): Block[] {
  return [
    { type: "address", title: "Delivery address", lines },
    ...(adult_signature ? [notice(SIGNATURE)] : []),
  ];
}

function pickupAt({ name, address }: Sender["company"], title = "Pick up at"): Block[] {
  return [{ type: "address", title, lines: [name, address] }, notice(ID)];
}

function totalRows(
  { address, shipping_method }: Pick<OrderMail, "address" | "shipping_method">,
  { subtotal, discounts, shipping, taxes, total }: MailTotals,
) {
  const rows = [
    { label: "Subtotal", amount: subtotal },
    ...discounts,
    { label: address.length > 0 ? "Shipping" : shipping_method, amount: shipping },
    ...taxes,
  ];
  return [
    ...rows.map(({ label, amount }) => ({ label, value: formatMoney(amount) })),
    { label: "Total", value: formatMoney(total), strong: true },
  ];
}
