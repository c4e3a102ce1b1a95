// The browser that the browser tests take.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { browsers } from "../browser/chromium.mjs";

test("Chromium is found on the path, after Debian's", () => {
  const folder = mkdtempSync(join(tmpdir(), "browser of "));
  try {
    const own = join(folder, "chromium");
    writeFileSync(own, "");
    const found = browsers([join(folder, "missing"), folder].join(delimiter));
    assert.equal(found.pop(), own);
    assert.ok(found.every((file) => file.startsWith("/usr/bin/")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
