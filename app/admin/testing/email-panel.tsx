import { useState } from "react";
import { text } from "../../lib/form";
import type { MailOutcome, TestingPage } from "../../lib/types";
import { useSave } from "../../lib/use-save";
import { Field, Labeled } from "../../ui/field";
import { staffCall } from "../call";

/** Sends a sample email and shows the mail server's response. */
export function EmailPanel({ page: { is_mail_on, mail_to, mail_kinds } }: { page: TestingPage }) {
  const [outcome, setOutcome] = useState<MailOutcome | null>(null);
  const { save, busy, about } = useSave(
    async (data) => {
      const body = { to: text(data, "to"), kind: text(data, "kind") };
      setOutcome(
        await staffCall("/api/admin/testing/mail", {
          method: "POST",
          body,
          timeout: 60_000,
        }),
      );
    },
    { summary: "The mail server responded." },
  );
  return (
    <section className="panel" aria-labelledby="mail">
      <h2 id="mail">Email</h2>
      {!is_mail_on && <p>Email is off: set SHOP_SMTP_URL and SHOP_MAIL_FROM.</p>}
      <form method="post" className="admin-form" noValidate onSubmit={save}>
        <Field name="to" label="To" type="email" defaultValue={mail_to} problem={about("to")} />
        <Labeled label="Kind" problem={about("kind")}>
          {(control) => (
            <select {...control} className="input" name="kind">
              {mail_kinds.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Labeled>
        <div>
          <button type="submit" className="button button-quiet" aria-disabled={busy}>
            {busy ? "Sending…" : "Send test email"}
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {outcome && (
          <p>
            <span className="tag" data-tone={outcome.accepted ? "good" : "bad"}>
              {outcome.accepted ? "Accepted" : "Not sent"}
            </span>{" "}
            {outcome.message}
            <small>{outcome.detail}</small>
          </p>
        )}
      </div>
    </section>
  );
}
