import type { ProductContent } from "../../lib/types";
import type { Words } from "../parts/tag";

export const PRODUCT: Words<ProductContent["status"]> = {
  draft: ["Draft", "warn"],
  active: ["Active", "good"],
  archived: ["Archived"],
};
