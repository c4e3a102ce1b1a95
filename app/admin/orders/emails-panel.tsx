import { useRef, useState } from "react";
import type { AdminOrder, ResendMail, SentMail } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";

/** The emails that were sent to the customer, with buttons to resend them. */
export function EmailsPanel({ order: { number, emails } }: { order: AdminOrder }) {
  const [busy, setBusy] = useState(false);
  // Kept until the answer arrives: sent again after a lost one, it is the same request.
  const requests = useRef(new Map<string, string>());
  async function resend(email: SentMail): Promise<void> {
    setBusy(true);
    const request_id = requests.current.get(keyOf(email)) ?? crypto.randomUUID();
    requests.current.set(keyOf(email), request_id);
    await runAction(async () => {
      const body = { ...resendBody(email), request_id };
      await staffCall(`/api/admin/orders/${number}/mails`, { method: "POST", body });
      requests.current.delete(keyOf(email));
    }, "Email sent again.");
    setBusy(false);
  }
  return (
    <section className="panel" aria-labelledby="emails">
      <h2 id="emails">Emails</h2>
      <ul className="order-emails">
        {emails.map((email) => (
          <li key={keyOf(email)}>
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

function keyOf({ mail, id }: SentMail): string {
  return `${mail} ${id}`;
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
    case "goods_canceled":
      return { mail, cancellation_id: id ?? "" };
    case "return_approved":
    case "return_rejected":
      return { mail, return_id: id ?? "" };
    default:
      throw new Error(`Unknown email: ${mail}`);
  }
}
