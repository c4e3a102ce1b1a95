// node tests/browser/other-browsers.mjs
// The way to an order and a sign-in in Firefox and WebKit, as Debian has them: Playwright drives only builds of its own. Needs firefox-esr,
// geckodriver (GECKODRIVER), WebKitWebDriver with its MiniBrowser, and a display for the latter: `make other-browsers`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Builder, By, Capabilities, Key, until } from "selenium-webdriver";
import firefox from "selenium-webdriver/firefox.js";

const shopBinary = process.env.SHOP_BINARY ?? join(import.meta.dirname, "../../target/debug/shop");
const PORT = 8811;
const ORIGIN = `http://localhost:${PORT}`;
const WEBKIT_PORT = 8815;
const PATIENCE_MS = 15_000;
const LIBRARIES = "/usr/lib";
const COLLECT_ERRORS = `
  window.errors = [];
  addEventListener("error", ({ message }) => errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => errors.push(effectiveDirective));`;

const data = mkdtempSync(join(tmpdir(), "shop-other-browsers-"));
const shop = spawn(shopBinary, ["demo", `--port=${PORT}`, `--data=${data}`], {
  stdio: ["ignore", "ignore", "inherit"],
});
before(() => answers(`${ORIGIN}/readyz`));
after(() => {
  shop.once("exit", () => rmSync(data, { recursive: true }));
  shop.kill();
});

const BROWSERS = {
  async Firefox() {
    const options = new firefox.Options()
      .setBinary("/usr/bin/firefox-esr")
      .addArguments("-headless")
      .enableBidi();
    const driver = await new Builder()
      .forBrowser("firefox")
      .setFirefoxOptions(options)
      .setFirefoxService(new firefox.ServiceBuilder(process.env.GECKODRIVER ?? "geckodriver"))
      .build();
    // Before the scripts of each page.
    await driver.script().pin(`() => {${COLLECT_ERRORS}}`);
    return { driver, quit: () => driver.quit() };
  },
  async WebKit() {
    const binary = miniBrowser();
    const service = spawn("WebKitWebDriver", [`--port=${WEBKIT_PORT}`], { stdio: "ignore" });
    const server = `http://127.0.0.1:${WEBKIT_PORT}`;
    await answers(`${server}/status`);
    const capabilities = new Capabilities();
    capabilities.set("browserName", "MiniBrowser");
    capabilities.set("webkitgtk:browserOptions", { binary, args: ["--automation"] });
    try {
      const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
      return { driver, quit: () => driver.quit().finally(() => service.kill()) };
    } catch (error) {
      service.kill();
      throw error;
    }
  },
};

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(name, () => {
    let page;
    let quit;
    before(async () => {
      const started = await start();
      quit = started.quit;
      await started.driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 });
      page = pageOf(started.driver, name);
    });
    afterEach(async () => assert.deepEqual(await page.errors(), []));
    after(() => quit?.());

    test("a guest passes the age gate, finds a product, and pays by card", async () => {
      await page.open("/");
      await page.typeDate(await page.find("#birth-date"), { month: 5, day: 17, year: 1980 });
      await page.click("Enter");
      await page.until("return !document.querySelector('dialog[open]')");

      await page.type(await page.find("[name=q]"), "blade");
      await page.find("[role=listbox] [role=option]");
      await (await page.find("[name=q]")).sendKeys(Key.ENTER);
      await page.until("return location.search === '?q=blade'");

      await page.open("/product/double-blade-cutter?variant=DBC-BRA");
      await page.click("Add to cart");
      await page.until("return document.querySelector('.toast')?.textContent.includes('Added')");
      await page.open("/cart");
      await page.click("Add a promo code");
      const code = await page.field("Promo code");
      await page.type(code, "welcome10");
      await code.sendKeys(Key.ENTER);
      await page.until(
        "return document.querySelector('.promo')?.textContent.includes('WELCOME10')",
      );

      await page.open("/checkout");
      await page.click("Place order");
      const email = await page.field("Email");
      await page.until(
        "const [e] = arguments; return e === document.activeElement && e.ariaInvalid === 'true'",
        email,
      );
      for (const [label, text] of Object.entries({
        Email: `${name.toLowerCase()}@shop.example`,
        "First name": "Ada",
        "Last name": "Reed",
        "Street address": "12 High Street",
        City: "Columbus",
        "ZIP code": "43215",
      })) {
        await page.type(await page.field(label), text);
      }
      await (await page.field("State")).sendKeys("Ohio");
      await page.until("return document.body.innerText.includes('-$5.20')");
      await page.fillCard();
      assert.deepEqual(await page.errors(), []);
      await page.click("Pay $");
      await page.until("return location.pathname === '/order-confirmation'");
      await page.until("return document.querySelector('h1')?.textContent === 'Thank you'");
      await page.until("return !/[0-9]/.test(document.querySelector('.cart-link').textContent)");
    });

    test("links are underlined, and fields of choice look like the others", async () => {
      await page.open("/cart");
      assert.deepEqual(
        await page.run(`
          const link = document.createElement("button");
          link.className = "link";
          const select = document.createElement("select");
          const input = document.createElement("input");
          select.className = input.className = "input";
          document.querySelector("main").append(link, select, input);
          const style = (element) => getComputedStyle(element);
          return [
            style(link).textDecorationLine,
            style(select).appearance,
            style(select).backgroundColor === style(input).backgroundColor,
          ];`),
        ["underline", "none", true],
      );
    });

    test("a sign-in is a popup, which can be closed, and in which no other page signs in", async () => {
      await page.open("/products");
      await page.inPopup(async ({ close }) => {
        assert.ok(await page.run("return Boolean(opener) && innerWidth < 500"));
        await close();
      });
      await page.until("return document.body.innerText.includes('Sign-in was canceled.')");
      await page.open("/products");
      await page.inPopup(async ({ inOpener }) => {
        // The provider's page has the right id and the opener, but not the shop's origin.
        await page.run(
          `const id = new URLSearchParams(location.search).get("state").split(".")[1];
          opener.postMessage({ type: "auth", id, ok: true }, arguments[0]);`,
          ORIGIN,
        );
        await inOpener(async () => {
          await page.run("return new Promise((resolve) => setTimeout(resolve))");
          assert.deepEqual(
            await page.run(`return performance.getEntriesByType("resource")
            .filter(({ name }) => /\\/products\\/_payload\\.json|\\/api\\/me$/.test(name)).map(({ name }) => name)`),
            [],
          );
        });
        await page.click("Sample Shopper");
      });
      await page.until("return document.querySelector('.account summary')?.textContent === 'SS'");
      assert.equal(await page.run("return location.pathname"), "/products");
    });
  });
}

/** What a visitor does, in either browser. Elements are found by their visible text where they have one. */
function pageOf(driver, browser) {
  const run = (script, ...values) => driver.executeScript(script, ...values);
  const wait = (condition, what) => driver.wait(condition, PATIENCE_MS, what);
  const find = (css) => wait(until.elementLocated(By.css(css)), css);
  const withText = (tags, text) =>
    wait(
      () =>
        run(
          `return [...document.querySelectorAll(arguments[0])].find(
            (each) => each.textContent.trim().startsWith(arguments[1]) && each.checkVisibility()) ?? null`,
          tags,
          text,
        ),
      text,
    );
  const isFirefox = browser === "Firefox";
  const seen = [];

  /** The errors since the last call, except those of documents that a link has left. */
  async function errors() {
    // WebKit's driver runs nothing before a page has loaded. The code that the shop loads to report an error tells of those before.
    const found = await run(`
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      performance.clearResourceTimings();
      const reports = loaded.filter((name) => name.includes("/error-report-"));
      return [...(window.errors?.splice(0) ?? []), ...reports];`);
    return [...seen.splice(0), ...found];
  }

  async function press(element) {
    // WebKit's driver scrolls, but does not wait until that has ended.
    if (!isFirefox)
      await run(`arguments[0].scrollIntoView({ block: "center", behavior: "instant" })`, element);
    await element.click();
  }

  /** WebKit's driver types reliably only where the pointer has put the focus. */
  async function type(field, text) {
    if (isFirefox) return field.sendKeys(text);
    await press(field);
    for (const key of text) await driver.actions().sendKeys(key).perform();
  }

  return {
    run,
    find,
    type,
    until: (script, ...values) => wait(() => run(script, ...values), script),
    field: async (label) => run("return arguments[0].control", await withText("label", label)),
    errors,
    async open(path) {
      seen.push(...(await errors()));
      await driver.get(ORIGIN + path);
      if (!isFirefox) await run(COLLECT_ERRORS);
      // The live region for titles is there after hydration.
      await find("body > [role=status]");
    },
    click: async (text) => press(await withText("button, a, summary", text)),
    async typeDate(field, { month, day, year }) {
      const two = (number) => String(number).padStart(2, "0");
      await type(
        field,
        isFirefox ? `${year}-${two(month)}-${two(day)}` : `${month}/${day}/${year}`,
      );
    },
    /** The form of the demonstration's provider, in a frame of another origin, where WebKit's driver cannot type. */
    async fillCard() {
      await driver.switchTo().frame(await find("#card-form iframe"));
      for (const [label, text] of Object.entries({
        "Card number": "4111111111111111",
        Expires: "12/30",
        "Security code": "111",
        "ZIP code": "43215",
      })) {
        const field = await run("return arguments[0].control", await withText("label", label));
        if (isFirefox) await field.sendKeys(text);
        else {
          await run(
            `const [field, text] = arguments;
            field.value = text;
            for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));`,
            field,
            text,
          );
        }
      }
      await driver.switchTo().defaultContent();
    },
    /** Presses Sign in as a pointer does, acts in the popup, and comes back once it is closed. */
    async inPopup(act) {
      const own = await driver.getWindowHandle();
      const link = await withText("a", "Sign in");
      // What handles the link is loaded when the page is idle, and then the popup's code when the link is pointed at.
      await wait(async () => {
        await driver.actions().move({ x: 700, y: 5 }).move({ origin: link }).perform();
        return run(
          `return performance.getEntriesByType("resource").some(({ name }) => name.includes("/sign-in-"))`,
        );
      }, "the popup's code");
      await link.click();
      await wait(async () => (await driver.getAllWindowHandles()).length === 2, "a popup");
      const popup = (await driver.getAllWindowHandles()).find((handle) => handle !== own);
      await driver.switchTo().window(popup);
      await withText("button", "Sample Shopper");
      await act({
        close: () => driver.close(),
        async inOpener(look) {
          await driver.switchTo().window(own);
          await look();
          await driver.switchTo().window(popup);
        },
      });
      await wait(async () => (await driver.getAllWindowHandles()).length === 1, "no popup");
      await driver.switchTo().window(own);
    },
  };
}

/** MiniBrowser is not on the path; its folder has the versions of the machine and of the library. */
function miniBrowser() {
  for (const machine of readdirSync(LIBRARIES)) {
    for (const version of ["webkit2gtk-4.1", "webkitgtk-6.0"]) {
      try {
        const folder = join(LIBRARIES, machine, version);
        if (readdirSync(folder).includes("MiniBrowser")) return join(folder, "MiniBrowser");
      } catch {}
    }
  }
  throw new Error("WebKit's MiniBrowser is not installed");
}

async function answers(url) {
  const deadline = Date.now() + PATIENCE_MS * 4;
  while (Date.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await setTimeout(100);
  }
  throw new Error(`${url} does not answer`);
}
