import assert from "node:assert/strict";
import { test } from "node:test";
import { allCombinations, emptyContent } from "../../app/admin/products/product-content";

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
