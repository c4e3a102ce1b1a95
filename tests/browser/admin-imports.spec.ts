import { violations } from "./axe";
import { expect, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

test("an import is followed through a failed answer", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/import");
  const answer = await page.request.get("/api/admin/products.csv?q=double-blade");
  const mark = Date.now();
  const file = (await answer.body())
    .toString()
    .replaceAll("double-blade-cutter", `followed-cutter-${mark}`)
    .replaceAll("DBC-", `F${mark}-`);
  await page.route("**/api/admin/products/imports/*", (route) => route.fulfill({ status: 502 }), {
    times: 1,
  });
  await page.getByLabel("Choose file").setInputFiles({
    name: "products.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(file),
  });
  await expect(page.getByText("Nothing has changed yet.")).toBeVisible();
});

test("a file is looked at, then imported", async ({ page }) => {
  const said = complaints(page);
  await signIn(page, "Sample Admin", "/admin/products/import");
  expect(await violations(page)).toEqual([]);
  const answer = await page.request.get("/api/admin/products.csv?q=double-blade");
  // A new product, since other tests depend on the one that it is copied from.
  const mark = Date.now();
  const file = (await answer.body())
    .toString()
    .replaceAll("double-blade-cutter", `imported-cutter-${mark}`)
    .replaceAll("DBC-", `I${mark}-`)
    .replace("Double-Blade Cutter", "'=Imported cutter");
  const choose = async (text: string) =>
    page.getByLabel("Choose file").setInputFiles({
      name: "products.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
  await choose(
    file.replace("general_merchandise", "whatever").replace("smoking_accessory", "what"),
  );
  await expect(page.getByText("Fix them all before importing.")).toBeVisible();
  await choose(file);
  await expect(page.getByText("Nothing has changed yet.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const acts: string[] = [];
  page.on("request", (request) => {
    const act = /\/(apply|undo)$/.exec(request.url())?.[1];
    if (act) acts.push(act);
  });
  // A second click sends nothing.
  const apply = await hold(page, "**/apply");
  await page.getByRole("button", { name: /^Import \d+ lines$/ }).dblclick();
  apply();
  await expect(page.getByText(/^Imported: 1 product; /)).toBeVisible();
  expect(acts).toEqual(["apply"]);
  // The result is still shown after a reload.
  await page.reload();
  await expect(page.getByText(/^Imported: 1 product; /)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(said).toEqual([]);
  // The page shows what has become of it although the answer is lost.
  await page.route("**/undo", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Undo this import" }).click();
  const question = page.getByRole("dialog", { name: "Undo this import?" });
  await expect(question).toContainText("you have to upload it again");
  expect(await violations(page)).toEqual([]);
  expect(acts).toEqual(["apply"]);
  await question.getByRole("button", { name: "Undo import" }).click();
  await expect(page.getByText("Undone: 1 product.")).toBeVisible();
  await expect(question).toBeHidden();
  expect(acts).toEqual(["apply", "undo"]);
});
