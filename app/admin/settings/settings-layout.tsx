import type { ReactNode } from "react";
import { PageHeader } from "../parts/page-header";
import { useScrollToCurrent } from "../parts/scroll-to-current";

export const SETTINGS_PAGES = [
  ["/admin/settings/promotions", "Promo codes", "Discount codes and their limits"],
  [
    "/admin/settings/shipping",
    "Shipping",
    "Methods, zones, and prices by weight; pickup in the store",
  ],
  ["/admin/settings/tax", "Tax", "Rates by state and county, and excise taxes"],
  [
    "/admin/settings/compliance",
    "Compliance",
    "What may be sold where, and under which conditions",
  ],
  [
    "/admin/settings/legal",
    "Legal texts",
    "Terms, privacy, shipping, and returns, with their versions",
  ],
  ["/admin/settings/company", "Company", "Name, address, and contact details"],
  ["/admin/settings/mail", "Emails", "Your own words in emails to customers"],
  ["/admin/settings/roles", "Roles", "Who may do what here"],
  [
    "/admin/settings/reports",
    "Delivery reports",
    "Shipments of regulated products, for states that require reports",
  ],
  ["/admin/settings/webhooks", "Webhooks", "Notify other systems of orders, stock, and products"],
] as const;

interface Props {
  path: (typeof SETTINGS_PAGES)[number][0];
  title: string;
  /** Buttons for the whole page. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the settings, with navigation to the others. */
export function SettingsLayout({ path, title, actions, children }: Props) {
  return (
    <>
      <PageHeader title={title} links={[{ label: "Settings", href: "/admin/settings" }]}>
        {actions}
      </PageHeader>
      <nav className="settings-parts" aria-label="Settings" ref={useScrollToCurrent(path)}>
        {SETTINGS_PAGES.map(([href, label]) => (
          <a key={href} href={href} aria-current={href === path ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
