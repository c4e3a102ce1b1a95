// What the tables of the settings say in a cell begins with a capital letter.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import CompliancePage from "../../app/admin/settings/compliance-page";
import PromotionsPage from "../../app/admin/settings/promotions-page";
import { SharedContext } from "../../app/lib/shared";
import { shared } from "../../app/samples/base";
import { complianceSettings } from "../../app/samples/compliance";
import { promotions } from "../../app/samples/promotions";

/** The texts at the start of the cells. */
function cellsOf(page: ReactElement): string[] {
  const html = renderToStaticMarkup(<SharedContext value={shared}>{page}</SharedContext>);
  return [...html.matchAll(/<td[^>]*>([^<]+)/g)].map(([, text = ""]) => text);
}

test("what a rule allows and demands begins with a capital letter", () => {
  const cells = cellsOf(<CompliancePage {...complianceSettings} />);
  for (const text of [
    "Shipped, picked up, paid online",
    "Not sold",
    "Adult signature, ground only",
  ])
    assert.ok(cells.includes(text), `${text}: ${cells}`);
});

test("when and how a promo code counts begins with a capital letter", () => {
  const cells = cellsOf(<PromotionsPage {...promotions} />);
  for (const text of [
    "Always",
    "From November 1, 2026",
    "From November 1, 2026 through December 31, 2026",
    "Once per customer",
    "Minimum $10.00",
  ])
    assert.ok(cells.includes(text), `${text}: ${cells}`);
});
