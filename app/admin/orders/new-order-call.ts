import type { DraftForm, Quote } from "../../lib/types";
import { staffCall } from "../call";
import { counterBody, draftTerms, type NewOrder, NO_ADDRESS } from "./new-order-state";

/** Ids that the client generates before the order has a number. */
export interface OrderNames {
  checkout_id: string;
  click_id: string;
  draft_id: string;
}

/** The id in quote requests, which store nothing. */
const NONE = "00000000-0000-0000-0000-000000000000";
const NO_NAMES: OrderNames = { checkout_id: NONE, click_id: NONE, draft_id: NONE };

export interface OrderCall {
  /** The request body. */
  body: object;
  send: (options?: { signal: AbortSignal }) => Promise<{ number: string | null; quote: Quote }>;
}

/** The call that places an in-store order, or creates or updates a draft order, if the total matches the expected one. */
export function orderCall(
  order: NewOrder,
  draft: DraftForm | null,
  names: OrderNames,
  expected_total: number | null,
): OrderCall {
  const { checkout_id, click_id, draft_id } = names;
  if (order.paid === "counter") {
    const body = { checkout_id, click_id, ...counterBody(order), expected_total };
    const send: OrderCall["send"] = (options) =>
      staffCall("/api/admin/orders", { ...options, method: "POST", body });
    return { body, send };
  }
  const terms = { ...draftTerms(order), expected_total };
  if (draft) {
    const body = { version: draft.version, terms };
    const send: OrderCall["send"] = (options) =>
      staffCall(`/api/admin/orders/drafts/${draft.number}`, { ...options, method: "PUT", body });
    return { body, send };
  }
  const body = { draft_id, terms };
  const send: OrderCall["send"] = (options) =>
    staffCall("/api/admin/orders/drafts", { ...options, method: "POST", body });
  return { body, send };
}

/** The call that requests a quote. It omits fields that do not affect the price, so that editing those does not request another. */
export function priceCall(order: NewOrder, draft: DraftForm | null): OrderCall {
  const { state, postal_code } = order.address;
  const address = { ...NO_ADDRESS, state, postal_code };
  const priced = { ...order, message: "", mail: false, phone: "", user_id: null, address };
  return orderCall(priced, draft, NO_NAMES, null);
}
