// What the forms call their fields. A new field without a label does not compile.
import type { CategoryForm, CollectionForm, ProductContent } from "../../lib/types";

/** No form shows these fields of a category or a collection. */
type Hidden = "version" | "place";

export const CATEGORY_LABELS: Record<Exclude<keyof CategoryForm, Hidden>, string> = {
  name: "Name",
  slug: "Address",
  parent_id: "Parent category",
  description: "Description",
};

export const COLLECTION_LABELS: Record<Exclude<keyof CollectionForm, Hidden>, string> = {
  title: "Title",
  handle: "Handle",
  description: "Description",
  products: "Products",
};

export const PRODUCT_LABELS: Record<keyof ProductContent, string> = {
  title: "Title",
  subtitle: "Subtitle",
  description: "Description",
  highlights: "Highlights",
  details: "Details",
  pictures: "Images",
  status: "Status",
  publish_at: "Publish on",
  category_id: "Category",
  compliance_class: "Compliance class",
  material: "Material",
  collections: "Collections",
  handle: "Handle",
  seo_title: "Page title",
  seo_description: "Meta description",
  options: "Options",
  variants: "Variants",
};

/** A field of a product as its editor calls it. The audit log has each variant under its SKU: "variant RACK-D". */
export function auditedLabel(field: string): string {
  const labels: Record<string, string> = PRODUCT_LABELS;
  return labels[field] ?? field.replace(/^variant /, "Variant ");
}
