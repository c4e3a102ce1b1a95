import type { CompanySettingsPage } from "../lib/types";

const companyTexts = {
  name: "Sample Shop",
  email: "counter@shop.example",
  phone: "614 555 0142",
  address: "1 Sample Street",
  legal_line: "For adults.",
};

export const companySettings: CompanySettingsPage = {
  version: 1,
  texts: { ...companyTexts, name: "" },
  defaults: companyTexts,
  place: "OH, Franklin County",
};
