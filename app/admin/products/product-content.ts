import type {
  PictureContent,
  ProductContent,
  ProductOption,
  VariantContent,
} from "../../lib/types";
import { changedFields, mergeFields } from "./merge";

/** The content of a new product. */
export const emptyContent: ProductContent = {
  title: "",
  subtitle: "",
  handle: "",
  description: [],
  highlights: [],
  details: [],
  category_id: "",
  material: "",
  compliance_class: "",
  seo_title: "",
  seo_description: "",
  status: "draft",
  publish_at: null,
  options: [],
  variants: [],
  pictures: [],
  collections: [],
};

/** Lowercase words joined by hyphens. */
function toHandle(title: string): string {
  const plain = title.normalize("NFKD").toLowerCase();
  return (
    plain
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 100)
      .replace(/-$/, "") ?? ""
  );
}

/** The handle of something new whose title changes: it follows the title until another one is typed, and again once that is cleared. */
export function followTitle(handle: string, before: string, title: string): string {
  return handle === "" || handle === toHandle(before) ? toHandle(title) : handle;
}

/** The number from the digits in a text, at most seven; null without any. */
export function pieces(text: string): number | null {
  const digits = text.replace(/\D/g, "").slice(0, 7);
  return digits === "" ? null : Number(digits);
}

const newVariant = (options: string[], template: VariantContent | undefined, sku: string) => ({
  id: null,
  sku,
  options,
  price: template?.price ?? -1,
  compare_at_price: null,
  weight_grams: template?.weight_grams ?? 0,
  picture: null,
  // Without a number: one that was removed and is added again keeps its stock.
  on_hand: null,
});

/** The most variants that the server accepts. */
export const MAX_VARIANTS = 250;

const valuesOf = (options: ProductOption[]) =>
  options.map((option) => option.values.map(({ value }) => value.trim()).filter(Boolean));

/** How many combinations the options' values have. */
export const countCombinations = (options: ProductOption[]) =>
  valuesOf(options).reduce((count, each) => count * each.length, 1);

/**
 * All combinations of the options' values: existing variants are kept, missing ones are created. The variants as they are if there are
 * too many combinations.
 */
export function allCombinations(content: ProductContent): VariantContent[] {
  const { options, variants } = content;
  const values = valuesOf(options);
  const count = countCombinations(options);
  // An option without values has no combinations.
  if (count === 0 || count > MAX_VARIANTS) return variants;
  const all = values.reduce<string[][]>(
    (before, each) => before.flatMap((list) => each.map((value) => [...list, value])),
    [[]],
  );
  const template = variants[0];
  const rest = [...variants];
  const taken = new Set(variants.map(({ sku }) => sku));
  return all.map((combination) => {
    const same = (variant: VariantContent) => variant.options.join("\n") === combination.join("\n");
    // A variant without a value of the newest option, or with a blank one, gets that option's first value.
    const partly = (variant: VariantContent) =>
      variant.options.every((value, at) => value === "" || value === combination[at]);
    let at = rest.findIndex(same);
    if (at < 0) at = rest.findIndex(partly);
    const [existing] = at < 0 ? [] : rest.splice(at, 1);
    if (existing) return { ...existing, options: combination };
    const code = combination.map((value) => codeOf(value, 6));
    const start = codeOf(content.title, 12) || "SKU";
    const sku = freeSku([start, ...code].filter(Boolean).join("-"), taken);
    taken.add(sku);
    return newVariant(combination, template, sku);
  });
}

const codeOf = (text: string, length: number) =>
  toHandle(text).slice(0, length).replace(/-$/, "").toUpperCase();

/** The SKU, with the first number from 2 if it is taken. */
function freeSku(sku: string, taken: Set<string>): string {
  let free = sku;
  for (let number = 2; taken.has(free); number++) free = `${sku}-${number}`;
  return free;
}

/** My changes since `base` on top of theirs; `both` lists the fields that both changed, where mine win. */
export function mergeChanges(base: ProductContent, mine: ProductContent, theirs: ProductContent) {
  const own = { ...mine, variants: withCreated(mine.variants, base.variants, theirs.variants) };
  const { content, both } = mergeFields(base, mine, theirs, own);
  return { content: withPictures(content, content.pictures), both };
}

/** Whether all of my changes since `base` are stored: they were saved before, and the answer was lost. */
export function isStored(base: ProductContent, mine: ProductContent, stored: ProductContent) {
  return changedFields(mergeChanges(base, mine, stored).content, stored).length === 0;
}

/** The same with other images. A variant whose image is gone shows the first one. */
export function withPictures(content: ProductContent, pictures: PictureContent[]): ProductContent {
  const keys = new Set<string | null>(pictures.map(({ key }) => key));
  const variants = content.variants.map((variant) =>
    keys.has(variant.picture) ? variant : { ...variant, picture: null },
  );
  return { ...content, pictures, variants };
}

/** Gives variants without an id the id and the initial stock of those that were created with their SKU since `base`. */
function withCreated(mine: VariantContent[], base: VariantContent[], theirs: VariantContent[]) {
  const known = new Set(base.map(({ id }) => id));
  const created = theirs.filter(({ id }) => !known.has(id));
  const bySku = new Map(created.map((variant) => [variant.sku, variant]));
  return mine.map((variant) => {
    const stored = variant.id === null ? bySku.get(variant.sku) : undefined;
    return stored ? { ...variant, id: stored.id, on_hand: stored.on_hand } : variant;
  });
}

/** This content with the ids of the product that was created from it. */
export function asCreated(content: ProductContent, created: ProductContent): ProductContent {
  return { ...content, variants: withCreated(content.variants, [], created.variants) };
}

/** What the server has saved of the `sent` content, with what has been changed since it was sent. */
export function onceSaved(sent: ProductContent, now: ProductContent, saved: ProductContent) {
  return mergeChanges(sent, now, saved).content;
}

/** The value for a `datetime-local` field, in this device's time zone. */
export function toLocalInput(ms: number | null): string {
  if (ms === null) return "";
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
