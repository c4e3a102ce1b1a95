import type { ProductContent } from "../../lib/types";
import type { TagLabels } from "../parts/tag";

export const PRODUCT: TagLabels<ProductContent["status"]> = {
  draft: ["Draft", "warn"],
  active: ["Active", "good"],
  archived: ["Archived"],
};
