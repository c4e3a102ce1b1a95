import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { args, executablePath } from "./chromium.mjs";

const root = join(import.meta.dirname, "../..");

/** Ports of two shops: tests of staff change the data of one, tests of shoppers depend on the unchanged data of the other. */
const SHOPPERS = 8793;
const STAFF = 8797;

const STAFF_TESTS = /admin-.*\.spec\.ts/;
/** Comes before the tests of shoppers; `--no-deps` leaves it out, as when one is run again and again. */
const PICTURES = /pictures\.setup\.ts/;
/** Tests that depend on the width of the window, and the main test of each journey. They run on the phone too, the others once. */
const ON_PHONE = /@phone/;

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const at = (port: number) => `http://localhost:${port}`;

/** A demo shop in a temporary folder, which is deleted after it has stopped. */
const shop = (port: number) => ({
  command: `data=$(mktemp -d); trap 'rm -rf "$data"' EXIT; trap : TERM; "$SHOP_BINARY" demo --empty --port ${port} --data "$data"`,
  env: { SHOP_BINARY: process.env.SHOP_BINARY ?? join(root, "target/debug/shop") },
  cwd: root,
  url: `${at(port)}/readyz`,
  reuseExistingServer: false,
  gracefulShutdown: { signal: "SIGTERM" as const, timeout: 10_000 },
  timeout: 120_000,
});

export default defineConfig({
  testDir: ".",
  outputDir: "results",
  reporter: "list",
  // A worker waits for a third of its time.
  workers: "150%",
  fullyParallel: true,
  // On a busy machine a test may fail once because of its timing; the report then calls it flaky.
  retries: 1,
  // To run one test alone, name its file and line.
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: at(SHOPPERS),
    launchOptions: { executablePath, args },
  },
  projects: [
    { name: "pictures", testMatch: PICTURES, use: desktop },
    { name: "phone-pictures", testMatch: PICTURES, dependencies: ["pictures"], use: phone },
    { name: "desktop", testIgnore: STAFF_TESTS, dependencies: ["phone-pictures"], use: desktop },
    {
      name: "phone",
      grep: ON_PHONE,
      testIgnore: STAFF_TESTS,
      dependencies: ["phone-pictures"],
      use: phone,
    },
    {
      name: "staff-desktop",
      testMatch: STAFF_TESTS,
      use: { ...desktop, baseURL: at(STAFF) },
    },
    {
      name: "staff-phone",
      testMatch: STAFF_TESTS,
      grep: ON_PHONE,
      use: { ...phone, baseURL: at(STAFF) },
    },
  ],
  webServer: [shop(SHOPPERS), shop(STAFF)],
});
