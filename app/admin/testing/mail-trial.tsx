import { useState } from "react";
import type { MailOutcome, TestingPage } from "../../lib/types";
import { useSave } from "../../lib/use-save";
import { Field, Labelled } from "../../ui/field";
import { staffCall } from "../call";

/** Sends a sample of a mail to somebody, and shows the mail server's own words. */
export function MailTrial({ page: { is_mail_on, mail_to, mail_kinds } }: { page: TestingPage }) {
  const [outcome, setOutcome] = useState<MailOutcome | null>(null);
  const { save, busy, about } = useSave(
    async (data) => {
      const body = { to: data.get("to"), kind: data.get("kind") };
      setOutcome(
        await staffCall<MailOutcome>("/api/admin/testing/mail", {
          method: "POST",
          body,
          timeout: 60_000,
        }),
      );
    },
    { summary: "The mail server has answered." },
  );
  return (
    <section className="panel" aria-labelledby="mail">
      <h2 id="mail">Mail</h2>
      {!is_mail_on && <p>Mail is off: set SHOP_SMTP_URL and SHOP_MAIL_FROM.</p>}
      <form className="admin-form" noValidate onSubmit={save}>
        <Field name="to" label="To" type="email" defaultValue={mail_to} problem={about("to")} />
        <Labelled label="Kind" problem={about("kind")}>
          {(control) => (
            <select {...control} className="input" name="kind">
              {mail_kinds.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <div>
          <button type="submit" className="button button-quiet" disabled={busy}>
            {busy ? "Sending…" : "Send a sample"}
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
