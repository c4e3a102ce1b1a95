import { defineConfig } from "@playwright/test";
import { args, executablePath } from "./chromium.mjs";

const port = 8793;
const origin = `http://localhost:${port}`;
const root = new URL("../..", import.meta.url).pathname;

/** Tests that the width of the window may change. The others run once. */
const BOTH_SIZES =
  /(pages|accessibility|age-gate|catalog|cart|card-form|checkout|admin-(?:frame|users|orders|reports))\.spec\.ts/;

export default defineConfig({
  testDir: ".",
  outputDir: "results",
  reporter: "list",
  workers: 2,
  fullyParallel: true,
  // A machine that is busy with something else may miss a moment once; the report then calls the test flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: origin,
    screenshot: "only-on-failure",
    launchOptions: { executablePath, args },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      testMatch: BOTH_SIZES,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
  webServer: {
    // The shop gets a folder of its own, which goes when it has stopped.
    command: `data=$(mktemp -d); trap 'rm -rf "$data"' EXIT; trap : TERM; "$SHOP_BINARY" demo --empty --port ${port} --data "$data"`,
    env: { SHOP_BINARY: process.env.SHOP_BINARY ?? `${root}target/debug/shop` },
    cwd: root,
    url: `${origin}/readyz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    timeout: 120_000,
  },
});
