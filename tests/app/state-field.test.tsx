import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StateField } from "../../app/ui/state-field";

const optionsOf = (field: ReactElement) =>
  [...renderToStaticMarkup(field).matchAll(/<option value="(.*?)"/g)].map(([, value]) => value);

test("a field of states begins with no state, or with what it is given", () => {
  const own = optionsOf(<StateField name="state" label="State" problem={undefined} />);
  assert.deepEqual(own.slice(0, 2), ["", "AL"]);
  const given = optionsOf(
    <StateField name="state" label="State" problem={undefined}>
      <option value="*">All other states</option>
    </StateField>,
  );
  assert.deepEqual(given.slice(0, 2), ["*", "AL"]);
  assert.equal(given.length, own.length);
});
