import type { ComplianceSettingsPage, ReportsPage, TaxSettingsPage } from "../lib/types";
import { repeat } from "./base";

const phases = ["in_force", "coming", "past"] as const;

const dated = (index: number) => ({
  id: `dated-${index}`,
  valid_from: "2026-11-21",
  valid_until: index === 2 ? "2026-11-21" : null,
  source: "A law",
  phase: phases[index] ?? "past",
});

export const taxSettings: TaxSettingsPage = {
  version: 1,
  today: "2026-11-21",
  home_state: "OH",
  home_county: "Franklin County",
  rates: repeat(3, (index) => ({
    ...dated(index),
    state: "OH",
    county: index === 0 ? "" : "Franklin County",
    rate: 57_500,
    taxes_shipping: index === 0,
  })),
  counties: [{ state: "NY", zip_codes: 12 }],
};

export const complianceSettings: ComplianceSettingsPage = {
  version: 1,
  today: "2026-11-21",
  classes: [
    { code: "accessory", name: "Smoking accessory", is_reported: true, products: 1_200 },
    { code: "none", name: "Without rules", is_reported: false, products: 0 },
  ],
  rules: repeat(3, (index) => ({
    ...dated(index),
    own_end: null,
    class: "accessory",
    state: index === 0 ? "*" : "OH",
    may_ship: index === 0,
    may_pick_up: index === 0,
    may_pay_online: index === 0,
    adult_signature: true,
    ground_only: index === 1,
    reason: index === 0 ? "" : "Not to Ohio.",
    excise: { name: index === 0 ? "Sample excise" : "", ppm: 170_000, per_unit: 25 },
  })),
};

export const reports: ReportsPage = {
  version: 1,
  year: 2026,
  years: [{ label: "2026", href: "/admin/settings/reports" }],
  months: repeat(2, (index) => ({
    month: "2026-11",
    state: ["OH", "NY"][index] ?? "OH",
    records: 12,
    quantity: 30,
    value: 129_900,
  })),
  classes: complianceSettings.classes,
};
