import { deflateSync } from "node:zlib";
import { expect, type Page } from "./shop";

/** A PNG in one color. */
export function png(side: number, red: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    let crc = ~0;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(~crc >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([red, 90, 50]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A new title, also in its first 12 characters, of which SKUs are made: a second try finds the products of the first. */
export const unique = (name: string) => `${Date.now().toString(36)} ${name}`;

/** Fills in a new product except for its pictures; returns its handle. */
export async function fill(page: Page, title: string): Promise<string> {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page
    .getByRole("textbox", { name: "Description", exact: true })
    .fill("Made by hand.\nOiled twice.");
  await page.getByLabel("Category").selectOption({ index: 1 });
  await page.getByLabel("Compliance class").selectOption({ label: "General merchandise" });
  await page.getByRole("button", { name: "Add an option" }).click();
  await page.getByLabel("Option 1 name").fill("Finish");
  await page.getByLabel("New values of Finish, separated by commas").fill("Dark, Light");
  await page.keyboard.press("Enter");
  await page.getByLabel("Price of all, $").fill("49.00");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Price of Dark", { exact: true })).toHaveValue("49.00");
  await page.getByLabel("Price of Light", { exact: true }).fill("52.50");
  await page.getByLabel("On hand of all new ones").fill("2");
  await page.getByLabel("On hand of Dark").fill("6");
  await expect(page.getByLabel("On hand of Light")).toHaveValue("2");
  await expect(page.getByText("No weight yet").first()).toBeVisible();
  await page.getByLabel("Weight of all, oz").fill("12");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Weight of Light")).toHaveValue("12 oz");
  await expect(page.getByText("No weight yet")).toHaveCount(0);
  const table = page.getByRole("region", { name: "Variant table" });
  expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  return page.getByLabel("Handle").inputValue();
}
