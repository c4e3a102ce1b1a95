// The card form of the Square stand-in on a page that embeds it as a shop embeds Square's own.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { violationsInBoth } from "./axe";

type Result = {
  status: string;
  token?: string;
  details?: { method: string; card: Record<string, unknown>; billing: { postalCode: string } };
  errors?: { type: string; field?: string; message: string }[];
};

interface Card {
  attach(target: string): Promise<void>;
  tokenize(details?: object): Promise<Result>;
  destroy(): Promise<boolean>;
}

declare global {
  interface Window {
    Square: {
      errors: Record<string, unknown>;
      payments(application: string, location: string): { card(): Promise<Card> };
    };
    card: Card;
  }
}

const DETAILS = {
  amount: "42.50",
  currencyCode: "USD",
  intent: "CHARGE",
  customerInitiated: true,
  sellerKeyedIn: false,
  billingContact: { givenName: "Ada", familyName: "Miller", countryCode: "US" },
};

/** Origin of the stand-in that belongs to the shop under test. */
function standIn(): string {
  const shop = new URL(test.info().project.use.baseURL ?? "");
  return `http://localhost:${Number(shop.port) + 2}`;
}

/** A page with the shop's content security policy, and the additional sources that the card form needs. */
const shop = createServer((_, answer) => {
  const policy = `default-src 'self'; script-src 'self' ${standIn()}; style-src 'self'; frame-src ${standIn()}`;
  answer.setHeader("content-security-policy", policy);
  answer.setHeader("content-type", "text/html").end(
    `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Pay</title>
    <main><h1>Pay</h1><div id="card"></div></main><script src="${standIn()}/v1/square.js"></script></html>`,
  );
});

test.beforeAll(async () => {
  await new Promise<void>((listening) => shop.listen(0, listening));
});
test.afterAll(() => {
  shop.close();
});

async function attach(page: Page): Promise<void> {
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
  await page.evaluate(async () => {
    window.card = await window.Square.payments(
      "sandbox-sq0idb-stand-in-demo",
      "LSTANDINDEMO",
    ).card();
    await window.card.attach("#card");
  });
}

async function fill(page: Page, number: string, date = "12/30", code = "111", zip = "43215") {
  const form = page.frameLocator("iframe");
  await form.getByLabel("Card number").fill(number);
  await form.getByLabel("Expires").fill(date);
  await form.getByLabel("Security code").fill(code);
  await form.getByLabel("ZIP code").fill(zip);
}

const tokenize = (page: Page): Promise<Result> =>
  page.evaluate((details) => window.card.tokenize(details), DETAILS);

/** Charges as a shop's server does; returns the payment's status or the error code. */
async function charge(page: Page, token: string | undefined): Promise<string> {
  const answer = await page.request.post(`${standIn()}/v2/payments`, {
    headers: { authorization: "Bearer stand-in-access-token" },
    data: {
      source_id: token,
      idempotency_key: crypto.randomUUID(),
      amount_money: { amount: 4250, currency: "USD" },
      autocomplete: false,
    },
  });
  const { payment, errors } = await answer.json();
  return errors?.[0].code ?? payment.status;
}

test("a card becomes a token that pays once", async ({ page }) => {
  await attach(page);
  await fill(page, "4111111111111111");
  await expect(page.frameLocator("iframe").getByLabel("Card number")).toHaveValue(
    "4111 1111 1111 1111",
  );
  const result = await tokenize(page);
  expect(result).toMatchObject({
    status: "OK",
    token: /^cnon:/,
    details: {
      method: "Card",
      card: { brand: "VISA", last4: "1111", expMonth: 12, expYear: 2030 },
      billing: { postalCode: "43215" },
    },
  });
  expect(await charge(page, result.token)).toBe("APPROVED");
  expect(await charge(page, result.token)).toBe("CARD_TOKEN_USED");
});

test("the documented failures fail when they are charged", async ({ page }) => {
  await attach(page);
  for (const [expected, ...card] of [
    ["GENERIC_DECLINE", "4000000000000002"],
    ["CVV_FAILURE", "4111111111111111", "12/30", "911"],
    ["ADDRESS_VERIFICATION_FAILURE", "4111111111111111", "12/30", "111", "99999"],
    ["INVALID_EXPIRATION", "4111111111111111", "01/40"],
    ["APPROVED", "340000000000009", "12/30", "1111"],
  ] as [string, string, string?, string?, string?][]) {
    await fill(page, ...card);
    const { status, token } = await tokenize(page);
    expect(status).toBe("OK");
    expect(await charge(page, token)).toBe(expected);
  }
});

test("what is missing or wrong is said beside its field", { tag: "@phone" }, async ({ page }) => {
  await attach(page);
  const form = page.frameLocator("iframe");
  const empty = await tokenize(page);
  expect(empty.status).toBe("Invalid");
  expect(empty.errors?.map(({ field }) => field)).toEqual([
    "cardNumber",
    "expirationDate",
    "cvv",
    "postalCode",
  ]);
  await expect(form.getByLabel("Card number")).toBeFocused();
  await expect(form.getByText("Enter the card number.")).toBeVisible();
  // A valid number that is not one of the test cards, and one with a wrong digit.
  await fill(page, "4242424242424242");
  expect((await tokenize(page)).errors?.[0]).toMatchObject({ field: "cardNumber" });
  await expect(form.getByText("Only test cards work here")).toBeVisible();
  await fill(page, "4111111111111112");
  await expect(form.getByLabel("Card number")).toHaveAttribute("aria-invalid", "true");
  await fill(page, "4111111111111111");
  await expect(form.getByLabel("Card number")).toHaveAttribute("aria-invalid", "false");
});

test("the bank's question is answered or declined", { tag: "@phone" }, async ({ page }) => {
  await attach(page);
  const form = page.frameLocator("iframe");
  await fill(page, "5248480000210034");
  const canceled = tokenize(page);
  await form.getByRole("button", { name: "Cancel" }).click();
  expect((await canceled).status).toBe("Cancel");

  const result = tokenize(page);
  await form.getByRole("textbox", { name: "Code", exact: true }).fill("000000");
  await form.getByRole("button", { name: "Confirm" }).click();
  await expect(form.getByText("This is not the code.")).toBeVisible();
  await form.getByRole("textbox", { name: "Code", exact: true }).fill("123456");
  await form.getByRole("button", { name: "Confirm" }).click();
  const { token } = await result;
  expect(await charge(page, token)).toBe("APPROVED");
  await expect(form.getByLabel("Card number")).toBeVisible();
});

test("the form says when it is used wrongly", async ({ page }) => {
  await attach(page);
  const names = await page.evaluate(async () => {
    const nameOf = async (call: () => Promise<unknown>) =>
      call().then(
        () => "nothing",
        (error) => error.name,
      );
    const { Square, card } = window;
    const other = await Square.payments("sandbox-sq0idb-x", "L").card();
    const names = [
      await nameOf(async () => Square.payments("wrong", "L")),
      await nameOf(() => other.tokenize()),
      await nameOf(() => other.attach("#nowhere")),
      await nameOf(() => card.attach("#card")),
    ];
    const early = await Square.payments("sandbox-sq0idb-x", "L").card();
    const attaching = nameOf(() => early.attach("#card"));
    await early.destroy();
    names.push(await attaching);
    await card.destroy();
    return [...names, await nameOf(() => card.tokenize()), document.querySelector("iframe")];
  });
  expect(names).toEqual([
    "InvalidApplicationIdError",
    "PaymentMethodNotAttachedError",
    "ElementNotFoundError",
    "PaymentMethodAlreadyAttachedError",
    "PaymentMethodNotAttachedError",
    "PaymentMethodAlreadyDestroyedError",
    null,
  ]);
});

test("axe finds nothing wrong with the form, its errors, the question and the dashboard", {
  tag: "@phone",
}, async ({ page }) => {
  await attach(page);
  await expectNoViolations(page);
  await tokenize(page);
  await page.screenshot({ path: test.info().outputPath("errors.png") });
  await expectNoViolations(page);
  await fill(page, "5248480000210034");
  const pending = tokenize(page).catch(() => {});
  await expect(page.frameLocator("iframe").getByRole("heading")).toBeVisible();
  await expectNoViolations(page);
  await page.goto(standIn());
  await expectNoViolations(page);
  await pending;
});

async function expectNoViolations(page: Page): Promise<void> {
  expect(await violationsInBoth(page)).toEqual([]);
}
