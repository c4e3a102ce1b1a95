import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDate, formatMoney } from "../../app/lib/format";
import { isFragmentOf, isPageUrl } from "../../app/lib/links";

test("money is written from minor units", () => {
  const dollars = (amount: number) => formatMoney({ amount, currency: "USD" });
  assert.equal(dollars(0), "$0.00");
  assert.equal(dollars(5), "$0.05");
  assert.equal(dollars(123_456_789), "$1,234,567.89");
  assert.equal(dollars(-150), "-$1.50");
  assert.equal(formatMoney({ amount: 100, currency: "EUR" }), "EUR 1.00");
});

test("dates are written out, and nonsense is left alone", () => {
  assert.equal(formatDate("2026-11-21"), "November 21, 2026");
  assert.equal(formatDate("2026-01-05T23:59:59Z"), "January 5, 2026");
  assert.equal(formatDate("2026-13-01"), "2026-13-01");
  assert.equal(formatDate("soon"), "soon");
});

test("only pages of the shop are reached by client navigation", () => {
  const here = new URL("https://shop.example.com/cart");
  const isPage = (href: string) => isPageUrl(new URL(href, here), here);
  for (const page of ["/", "/products?q=a", "/product/42", "/authors", "/apiary"]) {
    assert.equal(isPage(page), true, page);
  }
  for (const other of ["/api/me", "/assets/x.js", "/images/a-160.avif", "/auth/login"]) {
    assert.equal(isPage(other), false, other);
  }
  for (const document of ["/account", "/admin", "/checkout", "/order-confirmation?order=x"]) {
    assert.equal(isPage(document), false, document);
  }
  const account = new URL("https://shop.example.com/account");
  assert.equal(isPageUrl(account, account), true);
  assert.equal(isPageUrl(here, account), false);
  assert.equal(isPage("https://elsewhere.example.com/"), false);
  assert.equal(isPage("mailto:hello@example.com"), false);
});

test("a fragment of the page at hand is the browser's to scroll to", () => {
  const here = new URL("https://shop.example.com/cart?a=1");
  const isFragment = (href: string) => isFragmentOf(new URL(href, here), here);
  assert.equal(isFragment("#main"), true);
  assert.equal(isFragment("/cart?a=1#main"), true);
  assert.equal(isFragment("/cart#main"), false);
  assert.equal(isFragment("/cart?a=1"), false);
  assert.equal(isFragment("https://elsewhere.example.com/cart?a=1#main"), false);
});
