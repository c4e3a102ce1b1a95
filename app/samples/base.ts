import type { Envelope, Link, Money, Picture, Shared } from "../lib/types";

export const picture: Picture = {
  src: "/images/sample",
  alt: "A walnut pipe rack",
  width: 1280,
  height: 1280,
};

export const money = (amount: number): Money => ({ amount, currency: "USD" });

export const link = (label: string): Link => ({
  label,
  href: `/category/${label.toLowerCase().replaceAll(" ", "-")}`,
});

export const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const shared: Shared = {
  build: "sample",
  company: {
    name: "Sample Tobacconist",
    legal_line: "Products for legal tobacco use only. Sample Tobacconist, OH, License # pending.",
    email: "hello@example.com",
    phone: "+1 614 555 0100",
    address: "1 High Street, Columbus, OH",
  },
  currency: "USD",
  demo: true,
  age_verified: true,
  user: {
    name: "Ada Sample",
    email: "ada@example.com",
    sub: "sample",
    role: "customer",
    initials: "AS",
  },
  sign_in_href: "/auth/login?return_to=%2F",
  notice: null,
  max_birth_date: "2026-01-01",
  menu: {
    items: repeat(6, (index) => ({
      ...link(`Menu ${index}`),
      children: repeat(index, (child) => link(`Child ${child}`)),
    })),
  },
  beacon: null,
  api_base: null,
  dev: false,
  staff: null,
};

const staff: Shared["staff"] = {
  navigation: [{ label: "Audit log", href: "/admin/audit", icon: "audit", key: "l" }],
  may: ["see_shop", "see_audit"],
  is_mail_on: true,
};

export function envelope(
  page: string,
  url: string,
  props: object,
  rest: Partial<Envelope> = {},
): Envelope {
  return { page, url, status: 200, props, shared, ...rest };
}

/** A page of the admin area. */
export const ofStaff = (page: string, url: string, props: object): Envelope =>
  envelope(page, url, props, { shared: { ...shared, staff } });
