import { useShared } from "../lib/shared";
import { Wordmark } from "./wordmark";

const POLICIES = [
  { label: "Privacy policy", href: "/content/legal/privacy-policy" },
  { label: "Shipping policy", href: "/content/legal/shipping-policy" },
  { label: "Terms of service", href: "/content/legal/terms-of-service" },
  { label: "Returns and refunds", href: "/content/legal/refund-return-policy" },
];

export function Footer() {
  const { company, menu, sign_in, user } = useShared();
  return (
    <footer className="footer">
      <div className="footer-columns wrap">
        <div className="footer-about">
          <Wordmark />
          <p>Pipes, humidors, and the small tools that go with them, for adults 21 and older.</p>
        </div>
        <nav aria-labelledby="footer-shop">
          <h2 id="footer-shop" className="label">
            Shop
          </h2>
          <ul className="footer-shop">
            {menu.map(({ label, href }) => (
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
            {sign_in && !user && <a href="/auth/signup?return_to=/account">Create an account</a>}
          </address>
        </section>
      </div>
      <p className="footer-legal wrap">{company.legal_line}</p>
    </footer>
  );
}
