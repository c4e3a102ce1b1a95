/** What to know before ordering, each with a link to the legal text. */
const RULES = [
  {
    title: "Adults only",
    text: "Everything here is for adults 21 and older. We check before you enter and never keep birth dates.",
    label: "Terms of service",
    href: "/content/legal/terms-of-service",
  },
  {
    title: "Shipped where the law allows",
    text: "Some items can’t ship to some states. Our shipping policy explains what ships where, and how.",
    label: "Shipping policy",
    href: "/content/legal/shipping-policy",
  },
  {
    title: "Fair returns",
    text: "Not what you expected? See what you can return, by when, and how to send it back.",
    label: "Returns and refunds",
    href: "/content/legal/refund-return-policy",
  },
];

export function HouseRules() {
  return (
    <section className="section house wrap" aria-labelledby="house">
      <h2 id="house">House rules</h2>
      <ul>
        {RULES.map(({ title, text, label, href }) => (
          <li key={href}>
            <h3>{title}</h3>
            <p>{text}</p>
            <a className="link" href={href}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
