import type { DraftForm, Quote } from "../../lib/types";
import { staffCall } from "../call";
import { counterBody, draftTerms, EMPTY_ADDRESS, type NewOrder } from "./new-order-state";

/** Ids that the client generates before the order has a number. */
export interface OrderIds {
  checkout_id: string;
  click_id: string;
  draft_id: string;
}

/** The id in quote requests, which store nothing. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";
const NIL_IDS: OrderIds = { checkout_id: NIL_ID, click_id: NIL_ID, draft_id: NIL_ID };

export interface OrderCall {
  /** The request body. */
  body: object;
  send: (options?: { signal: AbortSignal }) => Promise<{ number: string | null; quote: Quote }>;
}

/** The call that places an in-store order, or creates or updates a draft order, if the total matches the expected one. */
export function orderCall(
  order: NewOrder,
  draft: DraftForm | null,
  ids: OrderIds,
  expected_total: number | null,
): OrderCall {
  const { checkout_id, click_id, draft_id } = ids;
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
export function quoteCall(order: NewOrder, draft: DraftForm | null): OrderCall {
  const { state, postal_code } = order.address;
  const address = { ...EMPTY_ADDRESS, state, postal_code };
  const priced = { ...order, message: "", mail: false, phone: "", user_id: null, address };
  return orderCall(priced, draft, NIL_IDS, null);
}
