import type { AdminOrder } from "../../lib/types";
import { act } from "../../lib/use-save";
import { staffCall } from "../call";

/** Letters that the buyer got, to be written once more. */
export function LettersPanel({ order: { number, letters } }: { order: AdminOrder }) {
  return (
    <section className="panel" aria-labelledby="letters">
      <h2 id="letters">Letters</h2>
      <ul className="order-letters">
        {letters.map(({ label, mail, id }) => (
          <li key={`${mail} ${id}`}>
            {label}
            <button
              type="button"
              className="link"
              aria-label={`Send again: ${label}`}
              onClick={() =>
                void act(
                  () =>
                    staffCall(`/api/admin/orders/${number}/mails`, {
                      method: "POST",
                      body: { mail, fulfillment_id: id, refund_id: id, return_id: id },
                    }),
                  "The letter is sent once more.",
                )
              }
            >
              Send again
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
