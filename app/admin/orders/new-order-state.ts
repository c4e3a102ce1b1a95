import type {
  Address,
  DraftForm,
  DraftTerms,
  FoundBuyer,
  FoundVariant,
  StaffOrder,
} from "../../lib/types";

export interface NewLine {
  sku: string;
  title: string;
  variant: string;
  /** Minor units. */
  price: number;
  quantity: number;
}

/** What staff have entered, as typed. */
export interface NewOrder {
  lines: NewLine[];
  user_id: string | null;
  /** How the account is called that was chosen. */
  account: string;
  email: string;
  phone: string;
  address: Address;
  /** Paid through a link, or at the counter when it is picked up. */
  paid: "link" | "counter";
  delivery: "ship" | "pickup";
  method: string;
  promo_code: string;
  message: string;
  mail: boolean;
}

export const NO_ADDRESS: Address = {
  first_name: "",
  last_name: "",
  company: "",
  line1: "",
  line2: "",
  city: "",
  state: "",
  postal_code: "",
  phone: "",
};

export function newOrder(draft: DraftForm | null): NewOrder {
  const method = draft?.shipping_method ?? "";
  return {
    lines: draft?.lines ?? [],
    user_id: draft?.user_id ?? null,
    account: draft?.user_id ? draft.email : "",
    email: draft?.email ?? "",
    phone: draft?.phone ?? "",
    address: draft?.address ?? NO_ADDRESS,
    paid: draft ? "link" : "counter",
    delivery: method === "pickup" ? "pickup" : "ship",
    method: method === "pickup" ? "" : method,
    promo_code: draft?.promo_code ?? "",
    message: draft?.message ?? "",
    mail: draft === null,
  };
}

/** One more of a variant. */
export function withGoods(lines: NewLine[], found: FoundVariant): NewLine[] {
  const { sku, title, variant, price } = found;
  if (!lines.some((line) => line.sku === sku))
    return [...lines, { sku, title, variant, price, quantity: 1 }];
  return lines.map((line) => (line.sku === sku ? { ...line, quantity: line.quantity + 1 } : line));
}

/** What is known of somebody with an account; what they have not told stays as it was typed. */
export function withBuyer(order: NewOrder, buyer: FoundBuyer): NewOrder {
  const [first_name = "", ...rest] = buyer.name.split(" ");
  const named = { ...order.address, first_name, last_name: rest.join(" ") };
  return {
    ...order,
    user_id: buyer.user_id,
    account: buyer.name || buyer.email,
    email: buyer.email,
    phone: buyer.phone || order.phone,
    address: buyer.address ?? named,
  };
}

const linesOf = ({ lines }: NewOrder) => lines.map(({ sku, quantity }) => ({ sku, quantity }));

/** For the call that places an order to be paid at the counter. */
export function counterBody(order: NewOrder): Omit<StaffOrder, "checkout_id" | "click_id"> {
  const { email, phone, address, promo_code } = order;
  const { first_name, last_name } = address;
  return {
    lines: linesOf(order),
    email,
    phone,
    first_name,
    last_name,
    promo_code: promo_code || null,
  };
}

/** For the calls that make and change a draft. */
export function draftTerms(order: NewOrder): DraftTerms {
  const { user_id, email, phone, address, delivery, method, promo_code, message, mail } = order;
  return {
    lines: linesOf(order),
    user_id,
    email,
    phone,
    address: { ...address, phone: "" },
    shipping_method: delivery === "pickup" ? "pickup" : method,
    promo_code: promo_code || null,
    message,
    mail,
  };
}
