import { useState } from "react";
import type { AdminOrder, ResendMail, SentMail } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";

/** The emails that were sent to the customer, with buttons to resend them. */
export function EmailsPanel({ order: { number, emails } }: { order: AdminOrder }) {
  const [busy, setBusy] = useState(false);
  async function resend(email: SentMail): Promise<void> {
    setBusy(true);
    await runAction(
      () =>
        staffCall(`/api/admin/orders/${number}/mails`, { method: "POST", body: resendBody(email) }),
      "Email sent again.",
    );
    setBusy(false);
  }
  return (
    <section className="panel" aria-labelledby="emails">
      <h2 id="emails">Emails</h2>
      <ul className="order-emails">
        {emails.map((email) => (
          <li key={`${email.mail} ${email.id}`}>
            {email.label}
            <button
              type="button"
              className="link"
              aria-label={`Resend: ${email.label}`}
              aria-disabled={busy}
              onClick={() => void resend(email)}
            >
              Resend
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The request body that identifies the email to resend. */
function resendBody({ mail, id }: SentMail): ResendMail {
  switch (mail) {
    case "placed":
    case "canceled":
    case "pickup_ready":
      return { mail };
    case "shipped":
      return { mail, fulfillment_id: id ?? "" };
    case "refunded":
      return { mail, refund_id: id ?? "" };
    case "return_approved":
    case "return_rejected":
      return { mail, return_id: id ?? "" };
    default:
      throw new Error(`Unknown email: ${mail}`);
  }
}
