import { reusable } from "../../ssr-runtime/js/reusable";
import { useShared } from "../lib/shared";
import type { CompanyTexts, Menu } from "../lib/types";
import { Wordmark } from "./wordmark";

const POLICIES = [
  { label: "Privacy policy", href: "/content/legal/privacy-policy" },
  { label: "Shipping policy", href: "/content/legal/shipping-policy" },
  { label: "Terms of service", href: "/content/legal/terms-of-service" },
  { label: "Returns and refunds", href: "/content/legal/refund-return-policy" },
];

interface Props {
  company: CompanyTexts;
  menu: Menu;
  /** An account can be created. */
  can_sign_up: boolean;
}

function Contents({ company, menu, can_sign_up }: Props) {
  return (
    <>
      <div className="footer-columns wrap">
        <div className="footer-about">
          <Wordmark name={company.name} />
          <p>Pipes, humidors, and small tools for adults 21 and older.</p>
        </div>
        <nav aria-labelledby="footer-shop">
          <h2 id="footer-shop" className="label">
            Shop
          </h2>
          <ul className="footer-shop">
            {menu.items.map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-labelledby="footer-policies">
          <h2 id="footer-policies" className="label">
            Policies
          </h2>
          <ul>
            {POLICIES.map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact" className="label">
            Contact
          </h2>
          <address>
            {company.email && <a href={`mailto:${company.email}`}>{company.email}</a>}
            {company.phone && (
              <a href={`tel:${company.phone.replace(/[^+\d]/g, "")}`}>{company.phone}</a>
            )}
            <span>{company.address}</span>
            {can_sign_up && <a href="/auth/signup?return_to=/account">Create an account</a>}
          </address>
        </section>
      </div>
      <p className="footer-legal wrap">{company.legal_line}</p>
    </>
  );
}

const ReusableFooter = reusable(Contents, {
  as: "footer",
  attributes: () => ({ className: "footer" }),
  data: ({ menu }) => menu,
  key: ({ company, can_sign_up }) => `${can_sign_up} ${JSON.stringify(company)}`,
});

export function Footer() {
  const { company, menu, sign_in_href, user } = useShared();
  return (
    <ReusableFooter company={company} menu={menu} can_sign_up={sign_in_href !== null && !user} />
  );
}
