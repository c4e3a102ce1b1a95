import { type ReactNode, useEffect, useRef } from "react";
import { PageHeader } from "../parts/page-header";

export const SETTINGS_PAGES = [
  [
    "/admin/settings/promotions",
    "Promo codes",
    "Codes that take something off, and how often they count",
  ],
  [
    "/admin/settings/shipping",
    "Shipping",
    "Methods, zones and prices by weight; pickup in the store",
  ],
  ["/admin/settings/tax", "Tax", "Rates by state and county, and excise taxes"],
  ["/admin/settings/compliance", "Compliance", "What may be sold where, and on which conditions"],
  [
    "/admin/settings/legal",
    "Legal texts",
    "Terms, privacy, shipping and returns, with their editions",
  ],
  ["/admin/settings/company", "Company", "Name, address and how customers reach you"],
  ["/admin/settings/mail", "Emails", "Your own words in what is written to customers"],
  ["/admin/settings/roles", "Roles", "Who may do what here"],
  [
    "/admin/settings/reports",
    "Delivery reports",
    "What left of regulated goods, for the states that ask",
  ],
  ["/admin/settings/webhooks", "Webhooks", "Other systems that are told what happens here"],
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
  const navigation = useRef<HTMLElement>(null);
  // On a phone the navigation is wider than the screen: scroll to the current page.
  useEffect(() => {
    const open = navigation.current?.querySelector<HTMLElement>(`[href="${path}"]`);
    if (navigation.current && open) {
      navigation.current.scrollLeft =
        open.offsetLeft - (navigation.current.clientWidth - open.offsetWidth) / 2;
    }
  }, [path]);
  return (
    <>
      <PageHeader title={title} links={[{ label: "Settings", href: "/admin/settings" }]}>
        {actions}
      </PageHeader>
      <nav className="settings-parts" aria-label="Settings" ref={navigation}>
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
