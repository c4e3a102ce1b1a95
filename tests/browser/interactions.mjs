// node tests/browser/interactions.mjs ORIGIN [ROUNDS]
// Measures, in Chromium on a phone's screen with a processor slowed down 6 times, how long the shop takes to answer: for each
// step the slowest interaction (INP: from the touch or key to the next frame), the longest task of the page, and the layout
// shift. ORIGIN is a running demo shop. Prints the median and the worst of ROUNDS, 5 by default.
// Needs chromium-headless-shell: other builds show only what lies within their window, so that frames of what is at the bottom
// of the screen never end.
import { setTimeout } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { args, executablePath } from "./chromium.mjs";

const SLOWER = 6;
/** How long a finger and a key are down. */
const HELD_MS = 80;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PRODUCT = "/product/double-blade-cutter?variant=DBC-BRA";

/** Each step starts with its own load of a page; `prepare` is not measured. */
const STEPS = {
  "home, load": { path: "/" },
  "home, menu": {
    path: "/",
    async act(page) {
      await tap(page.getByRole("button", { name: "Menu", exact: true }));
      await tap(page.locator("#menu summary").first());
      await tap(page.getByRole("button", { name: "Close menu" }));
    },
  },
  "list, load": { path: "/products" },
  "list, filter": {
    path: "/products",
    async act(page) {
      await tap(page.getByRole("button", { name: "Filters" }));
      await tap(page.locator("#filters li a", { hasText: "On sale" }));
      await page.locator("#filters a[aria-current]").waitFor();
      await tap(page.getByRole("button", { name: /^Show / }));
    },
  },
  "list, filter removed": {
    path: "/products?sale=1",
    async act(page) {
      await tap(page.locator(".chip").first());
      await page.waitForURL("**/products");
    },
  },
  "list, sort": {
    path: "/products",
    async act(page) {
      await tap(page.locator(".sort summary"));
      await tap(page.locator(".sort a").nth(1));
      await page.waitForURL("**/products?sort=*");
    },
  },
  "product, load": { path: PRODUCT },
  "product, variant": {
    path: PRODUCT,
    async act(page) {
      await tap(page.locator(".choice:not([aria-current])").first());
      await tap(page.locator(".choice:not([aria-current])").first());
    },
  },
  "product, quantity": {
    path: PRODUCT,
    async act(page) {
      await tap(page.getByRole("button", { name: "Increase quantity" }));
      await tap(page.getByRole("button", { name: "Increase quantity" }));
      await tap(page.getByRole("button", { name: "Decrease quantity" }));
    },
  },
  "product, add to cart": {
    path: PRODUCT,
    async act(page) {
      await tap(page.getByRole("button", { name: /^Add to cart/ }));
      await page.locator(".toast").first().waitFor();
    },
  },
  "cart, load": { path: "/cart", prepare: fillCart },
  "cart, quantity": {
    path: "/cart",
    prepare: fillCart,
    async act(page) {
      const answered = page.waitForResponse("**/api/checkout/quote");
      await tap(page.getByRole("button", { name: "Increase quantity" }).first());
      await (await answered).finished();
      await tap(page.getByRole("button", { name: "Decrease quantity" }).first());
    },
  },
  "checkout, load": { path: "/checkout", prepare: fillCart },
  "checkout, typing": {
    path: "/checkout",
    prepare: fillCart,
    async act(page) {
      const answered = page.waitForResponse("**/api/checkout/quote");
      await typeInto(page, "Email", "ada@shop.example");
      await typeInto(page, "First name", "Ada");
      await typeInto(page, "Street address", "12 High Street");
      await page.getByRole("combobox", { name: "State" }).selectOption("OH");
      await typeInto(page, "ZIP code", "43215");
      await (await answered).finished();
    },
  },
  "legal, load": { path: "/content/legal/terms-of-service" },
};

const [baseURL, rounds = "5", ...only] = process.argv.slice(2);
if (!baseURL) {
  console.error(
    "Usage: node tests/browser/interactions.mjs ORIGIN [ROUNDS [PART OF A STEP'S NAME...]]",
  );
  process.exit(2);
}
const browser = await chromium.launch({ executablePath, args });
const wanted = Object.entries(STEPS).filter(
  ([name]) => only.length === 0 || only.some((part) => name.includes(part)),
);
for (const [name, step] of wanted) {
  const results = [];
  for (let round = 0; round < Number(rounds); round++) results.push(await measure(step));
  const column = (key) => results.map((result) => result[key]).sort((a, b) => a - b);
  const text = (key) => {
    const values = column(key);
    return `${values[values.length >> 1]} (${values.at(-1)})`;
  };
  console.log(
    `${name.padEnd(22)} INP ${text("inp").padEnd(10)} longest task ${text("task").padEnd(10)} shift ${column("shift").at(-1)}`,
  );
}
await browser.close();

/** One visitor who has passed the age gate and loads a page for the first time. */
async function measure({ path, prepare, act }) {
  const context = await browser.newContext({ baseURL, ...PHONE });
  await context.request.post("/api/verify-age", {
    data: { birth_date: "1980-05-17", user_id: null, preferred_state: null },
  });
  await prepare?.(context);
  const page = await context.newPage();
  await page.addInitScript(observe);
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(path);
  // The live region for page titles exists once the page is hydrated and idle.
  await page.locator("body > [role=status]").waitFor({ state: "attached" });
  // Only the load itself counts its own tasks.
  if (act) {
    await page.evaluate(() => globalThis.seen.clear());
    await act(page);
  }
  await settle(page);
  const result = await page.evaluate(() => globalThis.seen.result());
  await context.close();
  return result;
}

/** Waits for the frame of the last interaction, and for its entries. */
async function settle(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve)));
      }),
  );
}

/** Runs in the page. */
function observe() {
  let [events, tasks, shifts] = [[], [], []];
  const record = (type, take, options = {}) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
    observer.observe({ type, buffered: true, ...options });
    return observer;
  };
  const takeEvent = (entry) => entry.interactionId && events.push(entry.duration);
  const takeTask = (entry) => tasks.push(entry.duration);
  const takeShift = (entry) => entry.hadRecentInput || shifts.push(entry.value);
  const observers = [
    [record("event", takeEvent, { durationThreshold: 16 }), takeEvent],
    [record("longtask", takeTask), takeTask],
    [record("layout-shift", takeShift), takeShift],
  ];
  const flush = () => {
    for (const [observer, take] of observers) observer.takeRecords().forEach(take);
  };
  globalThis.seen = {
    clear() {
      flush();
      [events, tasks, shifts] = [[], [], []];
    },
    result() {
      flush();
      return {
        inp: Math.max(0, ...events),
        task: Math.max(0, ...tasks),
        shift: Number(shifts.reduce((sum, value) => sum + value, 0).toFixed(4)),
      };
    },
  };
}

async function fillCart(context) {
  const page = await context.newPage();
  await page.goto(PRODUCT);
  await tap(page.getByRole("button", { name: /^Add to cart/ }));
  await page.locator(".toast").first().waitFor();
  await page.waitForFunction(() => {
    const { sent, cookie } = JSON.parse(localStorage.getItem("shop.cart.guest") ?? "{}");
    return sent === null && Boolean(cookie);
  });
  await page.close();
}

async function typeInto(page, label, text) {
  // After a longer touch Chromium without a window ignores the keys.
  await page.getByRole("textbox", { name: label }).tap();
  await page.keyboard.type(text, { delay: HELD_MS });
}

/** The runner's own tap takes no time, so that its end would wait for what its begin causes. */
async function tap(target) {
  const page = target.page();
  // Waits until it can be tapped.
  await target.tap({ trial: true });
  const { x, y, width, height } = await target.boundingBox();
  const client = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints });
  // The browser recognizes a click some time after the touch.
  const clicked = page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("click", () => resolve(), { once: true, capture: true });
      }),
  );
  await touch("touchStart", [{ x: x + width / 2, y: y + height / 2 }]);
  await setTimeout(HELD_MS);
  await touch("touchEnd", []);
  await clicked;
  await client.detach();
}
