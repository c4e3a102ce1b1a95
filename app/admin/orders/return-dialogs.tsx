import { useState } from "react";
import type { ReturnView } from "../../lib/types";
import { Labeled } from "../../ui/field";
import { ActDialog, type ActProps } from "./act-dialog";
import { type Chosen, linesOf, Quantities } from "./quantities";

export function RequestReturnDialog({ order, onClose }: ActProps) {
  const [chosen, setChosen] = useState<Chosen>({});
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Create return"
      path="returns"
      submit="Create return"
      done="Return created."
      wide
      body={(form) => ({ lines: linesOf(chosen), reason: form.get("reason") })}
    >
      {(about) => (
        <>
          <Quantities
            legend="Items to return"
            lines={order.lines}
            most={({ returnable }) => returnable}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <Words name="reason" label="Customer’s reason" problem={about("reason")} />
        </>
      )}
    </ActDialog>
  );
}

interface Props extends ActProps {
  of: ReturnView;
}

export function ApproveDialog({ order, onClose, of }: Props) {
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Approve return"
      path={`returns/${of.id}/approval`}
      submit="Approve"
      done="Return approved. The customer has been emailed."
      body={(form) => ({ note: form.get("note") })}
    >
      {(about) => <Words name="note" label="Note (optional)" problem={about("note")} />}
    </ActDialog>
  );
}

export function RejectDialog({ order, onClose, of }: Props) {
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Reject return"
      path={`returns/${of.id}/rejection`}
      submit="Reject"
      done="Return rejected."
      body={(form) => ({ note: form.get("note"), message: form.get("message") })}
    >
      {(about) => (
        <>
          <Words name="note" label="Reason (staff only)" problem={about("note")} />
          <Words
            name="message"
            label="Message to the customer (optional)"
            hint="If you leave this blank, no email is sent."
            problem={about("message")}
          />
        </>
      )}
    </ActDialog>
  );
}

export function ReceiveDialog({ order, onClose, of }: Props) {
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Receive return"
      path={`returns/${of.id}/receipt`}
      submit="Mark as received"
      done="Return received."
      wide
      body={(form) => ({
        lines: of.lines.map(({ line_id }) => ({
          line_id,
          restocked: Number(form.get(`restocked ${line_id}`)),
          written_off: Number(form.get(`written_off ${line_id}`)),
        })),
      })}
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
          {about("lines") && (
            <p className="field-error" role="alert">
              {about("lines")}
            </p>
          )}
        </>
      )}
    </ActDialog>
  );
}

interface WordsProps {
  name: string;
  label: string;
  hint?: string;
  problem: string | undefined;
}

export function Words({ name, label, hint, problem }: WordsProps) {
  return (
    <Labeled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => <textarea className="input" name={name} maxLength={2_000} {...control} />}
    </Labeled>
  );
}
