import type { LegalPage, LegalSettingsPage } from "../lib/types";
import { link, repeat } from "./base";

export const document: LegalPage = {
  title: "Shipping policy",
  updated: "2026-01-01",
  html: '<h2 id="where">Where we ship</h2><p>Within the United States.</p>',
  toc: [{ id: "where", label: "Where we ship" }],
  documents: repeat(4, (index) => ({ ...link(`Document ${index}`), current: index === 0 })),
};

export const legalSettings: LegalSettingsPage = {
  documents: [{ label: "Terms of Service", href: "/admin/settings/legal?document=sample" }],
  slug: "sample",
  href: "/content/legal/sample",
  today: "2026-11-21",
  title: "Terms of Service",
  body: "These are the terms of {{company}}.",
  draft_version: 1,
  editions: repeat(2, (index) => ({
    number: 1 - index,
    effective_from: "2026-11-01",
    is_in_force: index === 0,
    is_coming: false,
    published_at: index === 0 ? "2026-11-01T12:00:00" : null,
    published_by: index === 0 ? "Sample Admin" : null,
    withdrawn_at: null,
    withdrawn_by: null,
  })),
};
