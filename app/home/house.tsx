/** What to know before ordering, each with the text that binds. */
const RULES = [
  {
    title: "Adults only",
    text: "Everything here is for adults of 21 and over. We ask before you enter, and keep no birth dates.",
    label: "Terms of service",
    href: "/content/legal/terms-of-service",
  },
  {
    title: "Sent where the law allows",
    text: "Some goods cannot go to some places. The shipping policy says which, how and by whom.",
    label: "Shipping policy",
    href: "/content/legal/shipping-policy",
  },
  {
    title: "Taken back fairly",
    text: "If a piece is not what you expected, read what we take back, until when, and how to send it.",
    label: "Refunds and returns",
    href: "/content/legal/refund-return-policy",
  },
];

export function House() {
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
