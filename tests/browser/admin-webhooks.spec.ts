// Staff set up a webhook endpoint and read its log.
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { violations } from "./axe";
import { expect, hydrated, open, type Page, payloads, test } from "./shop";
import { complaints, hold, STALE, signIn, signInAgain } from "./staff";

interface Told {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A local webhook receiver. It responds with these statuses, and then with 200. */
async function receiver(...statuses: number[]) {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      told.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200).end("<b>noted</b>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { told, url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() };
}

/** The signature that a receiver computes. */
function signature(secret: string, { headers, body }: Told): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`;

/** Creates an endpoint and returns its secret. No other test causes its event in the same shop. */
async function make(page: Page, name: string, url: string): Promise<string> {
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByLabel("A return is rejected").check();
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
  const secret = dialog.getByLabel("Secret");
  await expect(secret).toHaveValue(/^whsec_.{44}$/);
  return secret.inputValue();
}

test("an endpoint is made, tried and sent the same again", { tag: "@phone" }, async ({ page }) => {
  const heard = complaints(page);
  const { told, url, close } = await receiver(500);
  const name = unique("Warehouse");
  await signIn(page, "Sample Admin", "/admin/settings/webhooks");
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("URL").fill("http://hooks.example/shop");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
  await expect(dialog.getByText("starts with https://")).toBeVisible();
  await expect(dialog.getByText("Choose at least one event.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  const secret = await make(page, name, url);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("link", { name: "send a test event" }).click();

  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await hydrated(page);
  expect(await page.content()).not.toContain(secret);
  // A second click sends nothing.
  const tried = await hold(page, "**/test");
  await page.getByRole("button", { name: "Send test event" }).dblclick();
  tried();
  await page.waitForURL(/\/webhooks\/log\//);
  await expect(page.locator(".admin-title .tag")).toHaveText("Failed");
  await expect(page.getByText("Responded with 500.")).toBeVisible();
  await page.getByText("Response", { exact: true }).click();
  await expect(page.getByText("<b>noted</b>")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const first = page.url();
  const resent = await hold(page, "**/again");
  await page.getByRole("button", { name: "Resend" }).dblclick();
  resent();
  await page.waitForURL((at) => at.href !== first);
  await expect(page.locator(".admin-title .tag")).toHaveText("Delivered");
  expect(told).toHaveLength(2);
  for (const each of told) {
    expect(each.headers["webhook-signature"]).toBe(signature(secret, each));
    expect(each.headers["webhook-id"]).toBe(told[0]?.headers["webhook-id"]);
    expect(JSON.parse(each.body)).toMatchObject({ type: "webhook.test" });
  }

  await page.goto(`/admin/settings/webhooks/log?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("row", { name: /Delivered/ })).toContainText("200");
  await expect(page.getByRole("row", { name: /Failed/ })).toContainText("Responded with 500.");
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
  close();
});

test("by keyboard alone an endpoint is switched off, gets a new secret and is deleted", async ({
  page,
}) => {
  const heard = complaints(page);
  const { told, url, close } = await receiver();
  const name = unique("Accounts");
  await signIn(page, "Sample Admin", "/admin/audit");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("webh");
  await expect(page.getByRole("option", { name: /Webhooks/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Webhooks", level: 1 })).toBeVisible();
  const old = await make(page, name, url);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();

  await page.getByRole("button", { name: "New secret" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create new secret" }).focus();
  await page.keyboard.press("Enter");
  const secret = page.getByLabel("Secret", { exact: true });
  await expect(secret).toHaveValue(/^whsec_/);
  const fresh = await secret.inputValue();
  expect(fresh).not.toBe(old);
  // A browser may refuse to copy, which is told in the dialog: it would cover a message elsewhere.
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  await page.getByRole("button", { name: "Copy", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Select the secret and copy it yourself.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("The previous secret also works")).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".admin-title .tag")).toHaveText("Delivered");
  const [test] = told;
  if (!test) throw new Error("nothing was told");
  expect(test.headers["webhook-signature"]).toBe(
    `${signature(fresh, test)} ${signature(old, test)}`,
  );

  await page.getByRole("link", { name, exact: true }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("On: send events").focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save endpoint" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".admin-title .tag")).toHaveText("Off");
  await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Delete", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete endpoint" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("/admin/settings/webhooks");
  await expect(page.getByRole("link", { name })).toHaveCount(0);
  expect(heard).toEqual([]);
  close();
});

test("a new secret whose answer was lost is shown when it is asked for again", async ({ page }) => {
  const { told, url, close } = await receiver();
  const name = unique("Stockroom");
  await signIn(page, "Sample Admin", "/admin/settings/webhooks");
  const old = await make(page, name, url);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name }).click();
  await page.route(
    "**/secret",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const dialog = page.getByRole("dialog");
  const create = async () => {
    await page.getByRole("button", { name: "New secret" }).click();
    await dialog.getByRole("button", { name: "Create new secret" }).click();
  };
  await create();
  await expect(dialog.getByText("We couldn’t reach the shop.")).toBeVisible();
  await page.keyboard.press("Escape");
  await create();
  const fresh = await dialog.getByLabel("Secret", { exact: true }).inputValue();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.locator(".admin-title .tag")).toHaveText("Delivered");
  const [test] = told;
  if (!test) throw new Error("nothing was told");
  expect(test.headers["webhook-signature"]).toBe(
    `${signature(fresh, test)} ${signature(old, test)}`,
  );
  close();
});

test("whoever signs in again in an open dialog is told of others’ changes, too", async ({
  page,
  context,
}) => {
  const { url, close } = await receiver();
  const name = unique("Depot");
  await signIn(page, "Sample Admin", "/admin/settings/webhooks");
  await make(page, name, url);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const other = await context.newPage();
  const conflict = page.getByText("Someone else has changed these settings");
  for (const [opener, submit] of [
    ["Delete", "Delete endpoint"],
    ["New secret", "Create new secret"],
  ] as const) {
    await page.getByRole("button", { name: opener, exact: true }).click();
    await open(other, page.url());
    await other.getByRole("button", { name: "New secret" }).click();
    await other.getByRole("button", { name: "Create new secret" }).click();
    await expect(other.getByLabel("Secret", { exact: true })).toHaveValue(/^whsec_/);
    const address = "**/api/admin/settings/webhooks/**";
    await page.route(address, (route) => route.fulfill(STALE), { times: 1 });
    const press = page.getByRole("button", { name: submit });
    await press.click();
    await signInAgain(page, "Sample Admin");
    await press.click();
    await expect(conflict).toBeVisible();
    await page.getByRole("button", { name: "Load latest version" }).click();
    await expect(conflict).toBeHidden();
    if (submit === "Delete endpoint") await page.keyboard.press("Escape");
    else await press.click();
  }
  await expect(page.getByLabel("Secret", { exact: true })).toHaveValue(/^whsec_/);
  close();
});

test("a secret stays until its dialog is closed, even if the page cannot be fetched again", async ({
  page,
}) => {
  const { url, close } = await receiver();
  const name = unique("Ledger");
  await signIn(page, "Sample Admin", "/admin/settings/webhooks");
  await page.route("**/_payload.json", (route) => route.fulfill({ status: 503 }));
  const asked = payloads(page);
  const dialog = page.getByRole("dialog");
  const secret = dialog.getByLabel("Secret", { exact: true });
  await make(page, name, url);
  await expect(page.getByText(`${name} created.`)).toBeVisible();
  expect(asked).toEqual([]);
  await expect(secret).toBeVisible();
  // Now it is fetched and, because that fails, loaded.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await hydrated(page);

  asked.length = 0;
  await page.getByRole("button", { name: "New secret" }).click();
  await dialog.getByRole("button", { name: "Create new secret" }).click();
  await expect(page.getByText("New secret created.")).toBeVisible();
  expect(asked).toEqual([]);
  await expect(secret).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("The previous secret also works")).toBeVisible();
  close();
});
