import type { TestEmailPage as Props } from "../lib/types";
import { Button } from "../ui/button";

/** A plain form: the server sends the email and responds with this page and the mail server's reply. */
export default function TestEmailPage({ enabled, to, kind, kinds, outcome }: Props) {
  return (
    <div className="test-email wrap">
      <h1>Test email</h1>
      <p className="lede">Sends one email through the shop’s own mail server.</p>
      {!enabled && (
        <p className="field-error">Email is off: SHOP_SMTP_URL and SHOP_MAIL_FROM are not set.</p>
      )}
      <form method="post" action="/test-email">
        <label className="label" htmlFor="to">
          To
        </label>
        <input
          id="to"
          name="to"
          type="email"
          className="input"
          defaultValue={to}
          autoComplete="email"
          maxLength={254}
          required
        />
        <label className="label" htmlFor="kind">
          Kind
        </label>
        <select id="kind" name="kind" className="input" defaultValue={kind}>
          {kinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Button type="submit">Send</Button>
      </form>
      {outcome && (
        <div role="status" className={outcome.accepted ? undefined : "field-error"}>
          <p>{outcome.message}</p>
          {outcome.detail && <p>{outcome.detail}</p>}
        </div>
      )}
    </div>
  );
}
