import assert from "node:assert/strict";
import { test } from "node:test";
import { allCombinations, emptyContent } from "../../app/admin/products/product-content";
import {
  withFields,
  withOption,
  withOptionMovedDown,
  withoutOption,
} from "../../app/admin/products/variant-changes";

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

  const moved = withOptionMovedDown(content, 0);
  assert.deepEqual(
    moved.options.map(({ name }) => name),
    ["Size", "Finish"],
  );
  assert.deepEqual(values(moved), ["Small Black", "Large Black"]);

  assert.deepEqual(values(withoutOption(content, 1)), ["Black"], "the first of equal ones stays");
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
