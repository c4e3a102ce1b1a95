import type { AdminOrder } from "../../lib/types";
import { act } from "../../lib/use-save";
import { staffCall } from "../call";

/** Emails that the buyer got, to be written once more. */
export function LettersPanel({ order: { number, letters } }: { order: AdminOrder }) {
  return (
    <section className="panel" aria-labelledby="letters">
      <h2 id="letters">Emails</h2>
      <ul className="order-letters">
        {letters.map(({ label, mail, id }) => (
          <li key={`${mail} ${id}`}>
            {label}
            <button
              type="button"
              className="link"
              aria-label={`Resend: ${label}`}
              onClick={() =>
                void act(
                  () =>
                    staffCall(`/api/admin/orders/${number}/mails`, {
                      method: "POST",
                      body: { mail, fulfillment_id: id, refund_id: id, return_id: id },
                    }),
                  "Email sent again.",
                )
              }
            >
              Resend
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
