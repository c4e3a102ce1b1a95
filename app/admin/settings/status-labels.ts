import type { DispatchEntry } from "../../lib/types";
import type { TagLabels } from "../parts/tag";

export const PROMO: TagLabels<"active" | "off" | "early" | "expired" | "used_up"> = {
  active: ["Active", "good"],
  off: ["Off"],
  early: ["Scheduled", "info"],
  expired: ["Expired"],
  used_up: ["Used up", "warn"],
};

export const DISPATCH: TagLabels<DispatchEntry["status"]> = {
  waiting: ["Waiting", "info"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  replaced: ["Resent"],
};
