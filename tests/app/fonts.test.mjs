import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { subsets } from "../../app/fonts/subset.mjs";

test("the fonts are what their script writes", async () => {
  for (const [name, contents] of await subsets()) {
    const stored = readFileSync(join(import.meta.dirname, "../../app/fonts", name));
    assert.ok(stored.equals(contents), `run node app/fonts/subset.mjs: ${name} differs`);
  }
});
