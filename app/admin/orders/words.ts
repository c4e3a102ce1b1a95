import type {
  AttemptStatus,
  DraftState,
  FulfillmentStatus,
  OrderStatus,
  PaymentStatus,
  RefundStatus,
  ReturnStatus,
} from "../../lib/types";

/** How a state looks: its words, and how it is to be taken. */
export type Tone = "good" | "warn" | "bad" | "info" | undefined;
type Words<State extends string> = Record<State, readonly [text: string, tone?: Tone]>;

export const ORDER: Words<OrderStatus> = {
  draft: ["Draft"],
  placed: ["Placed", "info"],
  canceled: ["Canceled", "bad"],
  archived: ["Archived"],
};

export const DRAFT: Words<DraftState> = {
  open: ["Open", "info"],
  expired: ["Expired", "warn"],
  placed: ["Ordered", "good"],
  withdrawn: ["Withdrawn"],
};

export const PAYMENT: Words<PaymentStatus> = {
  not_paid: ["Not paid", "warn"],
  authorized: ["Authorized", "info"],
  partially_paid: ["Partly paid", "warn"],
  paid: ["Paid", "good"],
  partially_refunded: ["Partly refunded", "info"],
  refunded: ["Refunded"],
  voided: ["Voided"],
  requires_action: ["Unclear", "bad"],
  failed: ["Failed", "bad"],
};

export const FULFILLMENT: Words<FulfillmentStatus> = {
  unfulfilled: ["Not sent", "warn"],
  partially_fulfilled: ["Partly sent", "warn"],
  fulfilled: ["Sent", "good"],
  delivered: ["Delivered", "good"],
  canceled: ["Not to send"],
};

export const ATTEMPT: Words<AttemptStatus> = {
  sending: ["Being sent", "info"],
  unknown: ["Unclear", "bad"],
  due: ["Due in the store", "warn"],
  authorized: ["Authorized", "info"],
  captured: ["Taken", "good"],
  declined: ["Declined", "bad"],
  voiding: ["Being voided", "info"],
  voided: ["Voided"],
};

export const REFUND: Words<RefundStatus> = {
  pending: ["On its way", "info"],
  settled: ["Given back", "good"],
  failed: ["Refused", "bad"],
};

export const RETURN: Words<ReturnStatus> = {
  requested: ["Requested", "warn"],
  approved: ["Approved, awaited", "info"],
  rejected: ["Rejected"],
  received: ["Received, not refunded", "warn"],
  refunded: ["Refunded", "good"],
};
