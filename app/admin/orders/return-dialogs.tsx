import { useState } from "react";
import { text } from "../../lib/form";
import type { ReturnView } from "../../lib/types";
import { staffCall } from "../call";
import { useIsMailOn } from "../parts/mail";
import { emailedText, type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { type Chosen, linesOf, Quantities } from "./quantities";
import { TextArea } from "./text-area";

export function RequestReturnDialog({ order, onClose }: OrderDialogProps) {
  const [chosen, setChosen] = useState<Chosen>({});
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Create return"
      submit="Create return"
      done="Return created."
      wide
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/returns`, {
          method: "POST",
          body: { version, lines: linesOf(chosen), reason: text(form, "reason") },
        })
      }
    >
      {(about) => (
        <>
          <Quantities
            legend="Items to return"
            lines={order.lines}
            maximum={({ returnable }) => returnable}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <TextArea name="reason" label="Customer’s reason" problem={about("reason")} />
        </>
      )}
    </OrderFormDialog>
  );
}

interface Props extends OrderDialogProps {
  of: ReturnView;
}

export function ApproveDialog({ order, onClose, of }: Props) {
  const isMailOn = useIsMailOn();
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Approve return"
      submit="Approve"
      done={emailedText("Return approved.", order, isMailOn)}
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/returns/${of.id}/approval`, {
          method: "POST",
          body: { version, note: text(form, "note") },
        })
      }
    >
      {(about) => (
        <>
          <p>
            {isMailOn
              ? "We’ll email the customer where to send these items. Fuel and other hazardous goods must not be mailed: the email says to keep them."
              : "Email is off: tell the customer yourself where to send these items. Fuel and other hazardous goods must not be mailed."}{" "}
            If the items are here already, mark them as received instead.
          </p>
          <TextArea name="note" label="Note (optional)" problem={about("note")} />
        </>
      )}
    </OrderFormDialog>
  );
}

export function RejectDialog({ order, onClose, of }: Props) {
  const isMailOn = useIsMailOn();
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Reject return"
      submit="Reject"
      done="Return rejected."
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/returns/${of.id}/rejection`, {
          method: "POST",
          body: {
            version,
            note: text(form, "note"),
            message: text(form, "message"),
          },
        })
      }
    >
      {(about) => (
        <>
          <TextArea name="note" label="Reason (staff only)" problem={about("note")} />
          <TextArea
            name="message"
            label="Message to the customer (optional)"
            hint={
              isMailOn
                ? "If you leave this blank, no email is sent."
                : "Email is off: this isn’t sent."
            }
            problem={about("message")}
          />
        </>
      )}
    </OrderFormDialog>
  );
}

export function CloseReturnDialog({ order, onClose, of }: Props) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Close return"
      submit="Close without refund"
      done="Return closed."
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/returns/${of.id}/closure`, {
          method: "POST",
          body: { version, note: text(form, "note") },
        })
      }
    >
      {(about) => (
        <>
          <p>The return ends without a refund. The customer isn’t emailed.</p>
          <TextArea name="note" label="Reason (staff only)" problem={about("note")} />
        </>
      )}
    </OrderFormDialog>
  );
}

/** What is wrong with what was received. The server names the line of a number that it cannot read. */
export function receiptProblem(
  of: Pick<ReturnView, "lines">,
  about: (field: string) => string | undefined,
): string | undefined {
  const isUnread = (index: number) =>
    about(`lines[${index}].restocked`) ?? about(`lines[${index}].written_off`);
  return of.lines.some((_, index) => isUnread(index)) ? "Enter whole numbers." : about("lines");
}

export function ReceiveDialog({ order, onClose, of }: Props) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Receive return"
      submit="Mark as received"
      done="Return received."
      wide
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/returns/${of.id}/receipt`, {
          method: "POST",
          body: {
            version,
            lines: of.lines.map(({ line_id }) => ({
              line_id,
              restocked: Number(form.get(`restocked ${line_id}`)),
              written_off: Number(form.get(`written_off ${line_id}`)),
            })),
          },
        })
      }
    >
      {(about) => (
        <>
          <table className="order-table">
            <thead>
              <tr>
                <th scope="col">Items</th>
                <th scope="col">Restock</th>
                <th scope="col">Write off</th>
              </tr>
            </thead>
            <tbody>
              {of.lines.map(({ line_id, title, quantity }) => (
                <tr key={line_id}>
                  <th scope="row">
                    {title}
                    <small>{`${quantity} expected`}</small>
                  </th>
                  <td>
                    <input
                      className="input"
                      type="number"
                      min={0}
                      max={quantity}
                      name={`restocked ${line_id}`}
                      defaultValue={quantity}
                      aria-label={`${title}: restock`}
                    />
                  </td>
                  <td>
                    <input
                      className="input"
                      type="number"
                      min={0}
                      max={quantity}
                      name={`written_off ${line_id}`}
                      defaultValue={0}
                      aria-label={`${title}: write off`}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {receiptProblem(of, about) && (
            <p className="field-error" role="alert">
              {receiptProblem(of, about)}
            </p>
          )}
        </>
      )}
    </OrderFormDialog>
  );
}
