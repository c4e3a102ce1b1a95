import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allCombinations,
  emptyContent,
  followTitle,
  isStored,
  mergeChanges,
  onceSaved,
  pieces,
  withPictures,
} from "../../app/admin/products/product-content";
import {
  withFields,
  withOption,
  withOptionMovedDown,
  withoutOption,
} from "../../app/admin/products/variant-changes";
import type { ProductContent } from "../../app/lib/types";

const option = (name: string, ...values: string[]) => ({
  name,
  values: values.map((value) => ({ value, hex: null })),
});

test("each further option multiplies what is there, and keeps what was typed", () => {
  const finish = option("Finish", "Black", "Brown");
  const first = allCombinations({ ...emptyContent, title: "Pipe", options: [finish] });
  assert.deepEqual(
    first.map(({ sku }) => sku),
    ["PIPE-BLACK", "PIPE-BROWN"],
  );
  assert.deepEqual(
    first.map(({ on_hand }) => on_hand),
    [null, null],
    "only what is typed is a count",
  );
  const priced = first.map((variant) => ({ ...variant, price: 8_900, weight_grams: 60 }));
  const begun = { ...emptyContent, title: "Pipe", options: [finish, option("Size")] };
  assert.equal(
    allCombinations({ ...begun, variants: priced }),
    priced,
    "an option without values yet",
  );
  const options = [finish, option("Size", "Small", "Large")];
  const all = allCombinations({ ...emptyContent, title: "Pipe", options, variants: priced });
  assert.deepEqual(
    all.map((variant) => [variant.options.join(" "), variant.price, variant.weight_grams]),
    [
      ["Black Small", 8_900, 60],
      ["Black Large", 8_900, 60],
      ["Brown Small", 8_900, 60],
      ["Brown Large", 8_900, 60],
    ],
  );
});

const variant = (id: string | null, ...options: string[]) => ({
  id,
  sku: options.join("-"),
  options,
  price: 100,
  compare_at_price: null,
  weight_grams: 60,
  picture: null,
  on_hand: 0,
});

test("each new variant has an SKU of its own", () => {
  const skus = (options: ProductContent["options"], variants: ProductContent["variants"] = []) =>
    allCombinations({ ...emptyContent, title: "Pipe", options, variants }).map(({ sku }) => sku);
  const finish = option(
    "Finish",
    "Black oak",
    "Black olive",
    "Rustic red",
    "Rustic rosewood",
    "Olive wood",
  );
  assert.deepEqual(skus([finish]), [
    "PIPE-BLACK",
    "PIPE-BLACK-2",
    "PIPE-RUSTIC",
    "PIPE-RUSTIC-2",
    "PIPE-OLIVE",
  ]);
  const kept = { ...variant("1", "Black oak"), sku: "PIPE-BLACK" };
  assert.deepEqual(skus([option("Finish", "Black olive", "Black oak")], [kept]), [
    "PIPE-BLACK-2",
    "PIPE-BLACK",
  ]);
});

test("no more variants are created than a product can have", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  const kept = [variant(null, "0", "0")];
  const combined = (first: number, second: number) => {
    const options = [option("A", ...numbers(first)), option("B", ...numbers(second))];
    return allCombinations({ ...emptyContent, options, variants: kept });
  };
  assert.equal(combined(25, 10).length, 250);
  assert.equal(combined(30, 30), kept);
});

test("variants follow a renamed, moved, or removed option", () => {
  const content = {
    ...emptyContent,
    options: [option("Finish", "Black", "Brown"), option("Size", "Small", "Large")],
    variants: [variant("1", "Black", "Small"), variant("2", "Black", "Large")],
  };
  const values = ({ variants }: { variants: { options: string[] }[] }) =>
    variants.map(({ options }) => options.join(" "));

  const renamed = withOption(content, 0, option("Finish", "Onyx", "Brown"));
  assert.deepEqual(values(renamed), ["Onyx Small", "Onyx Large"]);
  const grown = withOption(content, 0, option("Finish", "Black", "Brown", "Red"));
  assert.deepEqual(values(grown), ["Black Small", "Black Large"], "saved variants only stay");
  const swapped = withOption(content, 0, option("Finish", "Brown", "Black"));
  assert.deepEqual(values(swapped), ["Black Small", "Black Large"], "a moved value is not renamed");
  const same = { ...content, ...withOption(content, 0, option("Finish", "Brown", "Brown")) };
  assert.deepEqual(values(same), ["Black Small", "Black Large"], "two values never have one name");
  assert.deepEqual(
    values(withOption(same, 0, option("Finish", "Brown burst", "Brown"))),
    ["Brown burst Small", "Brown burst Large"],
    "the value can still be renamed",
  );

  const moved = withOptionMovedDown(content, 0);
  assert.deepEqual(
    moved.options.map(({ name }) => name),
    ["Size", "Finish"],
  );
  assert.deepEqual(values(moved), ["Small Black", "Large Black"]);

  assert.deepEqual(values(withoutOption(content, 1)), ["Black"], "the first of equal ones stays");
});

test("an option that is moved before variants have its values takes nothing from them", () => {
  const content = {
    ...emptyContent,
    options: [option("Finish", "Black", "Brown"), option("Size", "Small", "Large")],
    variants: [variant("1", "Black"), variant("2", "Brown")],
  };
  const moved = { ...content, ...withOptionMovedDown(content, 0) };
  const back = { ...content, ...withOptionMovedDown(moved, 0) };
  for (const [all, expected] of [
    [moved, ["1 Small Black", "2 Small Brown"]],
    [back, ["1 Black Small", "2 Brown Small"]],
  ] as const) {
    const kept = allCombinations(all).filter(({ id }) => id !== null);
    assert.deepEqual(
      kept.map(({ id, options }) => [id, ...options].join(" ")),
      expected,
    );
  }
});

test("filling all variants leaves the stock of saved ones alone", () => {
  const filled = withFields([variant("1", "Black"), variant(null, "Brown")], {
    price: 200,
    on_hand: 5,
  });
  assert.deepEqual(
    filled.map(({ price, on_hand }) => [price, on_hand]),
    [
      [200, 0],
      [200, 5],
    ],
  );
});

test("a text without digits is no number of pieces", () => {
  assert.deepEqual(["", "x", "0", "5 pcs"].map(pieces), [null, null, 0, 5]);
});

test("a new variant that is already saved gets its id, and its stock is not counted again", () => {
  const base = { ...emptyContent, variants: [variant("1", "Black"), variant("2", "Red")] };
  const added = { ...variant(null, "Brown"), on_hand: 10 };
  const saved = { ...variant("3", "Brown"), on_hand: null };
  const theirs = { ...base, variants: [...base.variants, saved] };
  const merged = mergeChanges(base, { ...base, variants: [...base.variants, added] }, theirs);
  assert.deepEqual(merged, { content: theirs, both: [] });

  const mine = {
    ...base,
    variants: [variant("1", "Black"), { ...variant(null, "Red"), on_hand: 4 }],
  };
  assert.deepEqual(
    mergeChanges(base, mine, theirs).content.variants,
    mine.variants,
    "one that was removed and added again is counted",
  );

  const sent = { ...base, variants: [...base.variants, added] };
  const now = { ...sent, variants: withFields(sent.variants, { price: 200 }) };
  assert.deepEqual(
    onceSaved(sent, now, theirs).variants.map(({ id, price, on_hand }) => [id, price, on_hand]),
    [
      ["1", 200, 0],
      ["2", 200, 0],
      ["3", 200, null],
    ],
  );
});

test("what was saved before its answer was lost is not taken for someone else’s", () => {
  const base = { ...emptyContent, variants: [variant("1", "Black")] };
  const added = { ...variant(null, "Brown"), on_hand: 10 };
  const mine = { ...base, title: "Rack", variants: [...base.variants, added] };
  const saved = { ...variant("2", "Brown"), on_hand: null };
  const stored = { ...mine, variants: [...base.variants, saved] };
  assert.ok(isStored(base, mine, stored));
  assert.ok(isStored(base, mine, { ...stored, material: "Walnut" }), "others may change the rest");
  assert.ok(!isStored(base, mine, { ...stored, title: "Their rack" }));
  assert.ok(!isStored(base, mine, { ...base, material: "Walnut" }));
});

test("a variant does without an image that its product no longer has", () => {
  const front = { key: "f", alt: "Front" };
  const side = { key: "s", alt: "Side" };
  const variants = [
    { ...variant("1", "Black"), picture: "s" },
    { ...variant("2", "Red"), picture: "f" },
  ];
  const content: ProductContent = { ...emptyContent, pictures: [front, side], variants };
  const shown = (each: ProductContent) => each.variants.map(({ picture }) => picture);
  assert.deepEqual(shown(withPictures(content, [front])), [null, "f"]);
  assert.deepEqual(shown(withPictures(content, [side, front])), ["s", "f"]);
  // Someone else has removed it meanwhile.
  const theirs = { ...content, pictures: [front], variants: [] };
  const mine = { ...content, variants: withFields(variants, { price: 200 }) };
  assert.deepEqual(shown(mergeChanges(content, mine, theirs).content), [null, "f"]);
});

test("an address follows the title of something new unless another one is typed", () => {
  assert.equal(followTitle("", "", "Pipe racks"), "pipe-racks");
  assert.equal(followTitle("pipe-racks", "Pipe racks", "Racks"), "racks");
  assert.equal(followTitle("pipes", "Pipe racks", "Racks"), "pipes");
  assert.equal(followTitle("", "Pipe racks", "Racks"), "racks");
  const long = "a".repeat(99);
  assert.equal(followTitle("", "", `${long} b`), long, "without the hyphen at which it is cut");
});
