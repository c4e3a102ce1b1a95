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

/** The form's state, as typed. */
export interface NewOrder {
  lines: NewLine[];
  user_id: string | null;
  /** What the chosen account is called. */
  account: string;
  /** The account whose data was filled in last, also if it is a guest's order since. */
  filled_from: string | null;
  email: string;
  phone: string;
  address: Address;
  /** Paid through a link, or in the store at pickup. */
  paid: "link" | "counter";
  delivery: "ship" | "pickup";
  method: string;
  promo_code: string;
  message: string;
  mail: boolean;
}

export const EMPTY_ADDRESS: Address = {
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

export function newOrder(draft: DraftForm | null, isMailOn: boolean): NewOrder {
  const method = draft?.shipping_method ?? "";
  return {
    lines: draft?.lines ?? [],
    user_id: draft?.user_id ?? null,
    account: draft?.account ? accountLabel(draft.account) : (draft?.email ?? ""),
    filled_from: draft?.user_id ?? null,
    email: draft?.email ?? "",
    phone: draft?.phone ?? "",
    address: draft?.address ?? EMPTY_ADDRESS,
    paid: draft ? "link" : "counter",
    delivery: method === "pickup" ? "pickup" : "ship",
    method: method === "pickup" ? "" : method,
    promo_code: draft?.promo_code ?? "",
    message: draft?.message ?? "",
    mail: isMailOn && draft === null,
  };
}

/** Adds one of a variant. */
export function withItem(lines: NewLine[], found: FoundVariant): NewLine[] {
  const { sku, title, variant, price } = found;
  if (!lines.some((line) => line.sku === sku))
    return [...lines, { sku, title, variant, price, quantity: 1 }];
  return lines.map((line) => (line.sku === sku ? { ...line, quantity: line.quantity + 1 } : line));
}

type Claimed = Pick<FoundBuyer, "name" | "email" | "email_verified">;

/** Whether the account's email address may be somebody else's. */
export const isOnlyClaimed = ({ email, email_verified }: Claimed) =>
  email !== "" && !email_verified;

/** Name or email of an account. */
function accountLabel(account: Claimed): string {
  const label = account.name || account.email;
  return isOnlyClaimed(account) ? `${label} (email not verified)` : label;
}

/**
 * Fills in the account's data; fields that the account lacks stay as typed, but another account's data does not stay. An email address
 * that is only claimed is not filled in: the link to the order goes there.
 */
export function withCustomer(order: NewOrder, buyer: FoundBuyer): NewOrder {
  const [first_name = "", ...rest] = buyer.name.split(" ");
  const isOthers = order.filled_from !== null && order.filled_from !== buyer.user_id;
  const typed = isOthers ? { email: "", phone: "", address: EMPTY_ADDRESS } : order;
  const named = { ...typed.address, first_name, last_name: rest.join(" ") };
  return {
    ...order,
    user_id: buyer.user_id,
    account: accountLabel(buyer),
    filled_from: buyer.user_id,
    email: isOnlyClaimed(buyer) ? typed.email : buyer.email,
    phone: buyer.phone || typed.phone,
    address: buyer.address ?? named,
  };
}

const linesOf = ({ lines }: NewOrder) => lines.map(({ sku, quantity }) => ({ sku, quantity }));

/** The body of the call that places an order to be paid in the store. */
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

/** The body of the calls that create and update a draft order. */
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
