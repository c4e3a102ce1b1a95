// The time until an edit is visible in an open browser under `make dev`: node tests/bench/dev.mjs [binary] [runs]
// It edits files under app/ and restores them.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { args, executablePath } from "../browser/chromium.mjs";

const binary = resolve(process.argv[2] ?? "target/debug/shop");
const runs = Number(process.argv[3] ?? 7);
const port = 8796;
const origin = `http://localhost:${port}`;
const data = mkdtempSync(join(tmpdir(), "shop-dev-"));
const shop = spawn(binary, ["demo", "--empty", "--dev", "--port", port, "--data", data], {
  stdio: "ignore",
});
const browser = await chromium.launch({ executablePath, args });

try {
  while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) await wait(50);
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForLoadState("networkidle");
  await edits("app/shell/footer.tsx", "for adults 21 and older.", (run) => [
    `for adults 21 and older. ${run}`,
    (wanted) => document.querySelector(".footer-about p")?.textContent.endsWith(wanted),
    `older. ${run}`,
  ]);
  await edits("app/shell/footer.css", ".footer {", (run) => [
    `.footer { --edited: ${run};`,
    (wanted) =>
      getComputedStyle(document.querySelector(".footer")).getPropertyValue("--edited") === wanted,
    String(run),
  ]);

  async function edits(file, old, make) {
    const source = readFileSync(file, "utf8");
    const times = [];
    try {
      for (let run = 1; run <= runs; run++) {
        const [text, shows, wanted] = make(run);
        const began = performance.now();
        writeFileSync(file, source.replace(old, text));
        // If the page reloads during the check, it is repeated.
        while (!(await page.waitForFunction(shows, wanted).catch(() => null)));
        times.push(performance.now() - began);
        await page.waitForLoadState("networkidle");
      }
    } finally {
      writeFileSync(file, source);
    }
    times.sort((a, b) => a - b);
    const [least, median, most] = [times[0], times[runs >> 1], times[runs - 1]].map(Math.round);
    console.log(`${file}: median ${median} ms (${least} to ${most})`);
  }
} finally {
  await browser.close();
  shop.kill();
  rmSync(data, { recursive: true });
}
