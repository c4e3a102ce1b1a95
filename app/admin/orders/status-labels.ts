import type {
  AttemptStatus,
  DraftState,
  FulfillmentStatus,
  OrderStatus,
  PaymentStatus,
  RefundStatus,
  ReturnStatus,
} from "../../lib/types";
import type { TagLabels, Tone } from "../parts/tag";

export const ORDER: TagLabels<OrderStatus> = {
  draft: ["Unfinished", "warn"],
  placed: ["Placed", "info"],
  canceled: ["Canceled", "bad"],
  archived: ["Archived"],
};

export const DRAFT: TagLabels<DraftState> = {
  open: ["Open", "info"],
  expired: ["Expired", "warn"],
  placed: ["Ordered", "good"],
  withdrawn: ["Withdrawn"],
};

export const PAYMENT: TagLabels<PaymentStatus> = {
  not_paid: ["Not paid", "warn"],
  authorized: ["Authorized", "info"],
  partially_paid: ["Partially paid", "warn"],
  paid: ["Paid", "good"],
  partially_refunded: ["Partially refunded", "info"],
  refunded: ["Refunded"],
  voided: ["Voided"],
  requires_action: ["Unknown", "bad"],
  failed: ["Failed", "bad"],
};

export const FULFILLMENT: TagLabels<FulfillmentStatus> = {
  unfulfilled: ["Unfulfilled", "warn"],
  partially_fulfilled: ["Partially fulfilled", "warn"],
  fulfilled: ["Fulfilled", "good"],
  delivered: ["Delivered", "good"],
  canceled: ["Nothing to fulfill"],
};

/** Shown beside the fulfillment status of a pickup order. */
export const READY: readonly [text: string, tone: Tone] = ["Ready for pickup", "info"];

export const ATTEMPT: TagLabels<AttemptStatus> = {
  sending: ["Processing", "info"],
  unknown: ["Unknown", "bad"],
  due: ["Due in store", "warn"],
  authorized: ["Authorized", "info"],
  captured: ["Captured", "good"],
  declined: ["Declined", "bad"],
  voiding: ["Voiding", "info"],
  voided: ["Voided"],
};

export const REFUND: TagLabels<RefundStatus> = {
  pending: ["Pending", "info"],
  settled: ["Refunded", "good"],
  failed: ["Failed", "bad"],
};

export const RETURN: TagLabels<ReturnStatus> = {
  requested: ["Requested", "warn"],
  approved: ["Approved", "info"],
  rejected: ["Rejected"],
  received: ["Received", "warn"],
  refunded: ["Refunded", "good"],
};

/** A return that ended without a refund. */
export const CLOSED: readonly [string] = ["Closed"];
