import { formatTime } from "../../lib/format";
import type { AdminOrder, ReturnView } from "../../lib/types";
import { Tag } from "../parts/tag";
import { CLOSED, RETURN } from "./status-labels";

interface ReturnsProps {
  order: AdminOrder;
  onStep: (step: "approve" | "reject" | "receive" | "close" | "refund", of: ReturnView) => void;
}

export function ReturnsPanel({ order: { returns, acts }, onStep }: ReturnsProps) {
  return (
    <section className="panel" aria-labelledby="returns">
      <h2 id="returns">Returns</h2>
      <ul className="order-entries">
        {returns.map((found) => (
          <li key={found.id}>
            <p className="order-entry-head">
              <b>{formatTime(found.at)}</b>
              <Tag of={found.closed ? CLOSED : RETURN[found.status]} />
            </p>
            <p>{found.reason}</p>
            {found.message && <p>{`Message to the customer: “${found.message}”`}</p>}
            <ul className="order-some">
              {found.lines.map(({ line_id, title, quantity, restocked, written_off }) => (
                <li key={line_id}>
                  {`${quantity} × ${title}`}
                  {restocked > 0 && `, ${restocked} restocked`}
                  {written_off > 0 && `, ${written_off} written off`}
                </li>
              ))}
            </ul>
            <p className="order-entry-acts">
              {found.status === "received" && acts.refund && (
                <button type="button" className="link" onClick={() => onStep("refund", found)}>
                  Refund return
                </button>
              )}
              {acts.decide_return &&
                STEPS[found.status].map(([step, words]) => (
                  <button
                    key={step}
                    type="button"
                    className="link"
                    onClick={() => onStep(step, found)}
                  >
                    {words}
                  </button>
                ))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Steps = (readonly [step: "approve" | "reject" | "receive" | "close", words: string])[];

const STEPS: Record<ReturnView["status"], Steps> = {
  requested: [
    ["approve", "Approve"],
    ["receive", "Mark as received"],
    ["reject", "Reject"],
  ],
  approved: [
    ["receive", "Mark as received"],
    ["reject", "Never arrived"],
  ],
  received: [["close", "Close without refund"]],
  rejected: [],
  refunded: [],
};
