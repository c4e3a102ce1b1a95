import { once } from "node:events";
import { connect } from "node:net";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { mailboxOf, mailTo } from "./mailbox";

test("the mailbox shows what came, newest first, and runs none of it", async ({
  page,
  request,
  baseURL,
}) => {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  const { testId, retry } = test.info();
  const address = `ann-${testId}-${retry}@shop.example`;
  await page.goto(mailboxOf(baseURL));
  await expect(page).toHaveTitle("Mailbox");
  await deliver(page, address, "The first", "<p>One</p>");
  await deliver(
    page,
    address,
    "<b>The second</b>",
    '<h1>Hello</h1><script>alert("no")</script><a href="https://shop.example/">Shop</a>',
  );
  await page.getByRole("link", { name: "Refresh" }).click();
  const rows = page.getByRole("row").filter({ hasText: address });
  await expect(rows.getByRole("link")).toHaveText(["<b>The second</b>", "The first"]);
  await rows.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("<b>The second</b>");
  const part = page.frameLocator("iframe");
  await expect(part.getByRole("heading", { name: "Hello" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  expect(violations).toEqual([]);
  expect(await mailTo(request, baseURL, address)).toHaveLength(2);
  expect(complaints).toEqual([]);
});

/** Sends an HTML message to the SMTP address on the mailbox's page. */
async function deliver(page: Page, to: string, subject: string, html: string): Promise<void> {
  const { hostname, port } = new URL((await page.locator("code").textContent()) ?? "");
  const socket = connect(Number(port), hostname);
  const lines = [
    "EHLO shop.example",
    "MAIL FROM:<care@shop.example>",
    `RCPT TO:<${to}>`,
    "DATA",
    `From: care@shop.example\r\nTo: ${to}\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n<html><head></head><body>${html}</body></html>\r\n.`,
    "QUIT",
  ];
  socket.end(lines.map((line) => `${line}\r\n`).join(""));
  let said = "";
  socket.on("data", (data) => {
    said += data;
  });
  await once(socket, "close");
  expect(said).toContain("250 2.0.0 kept");
}
