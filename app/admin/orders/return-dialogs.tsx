import { useState } from "react";
import type { ReturnView } from "../../lib/types";
import { Labelled } from "../../ui/field";
import { ActDialog, type ActProps } from "./act-dialog";
import { type Chosen, linesOf, Quantities } from "./quantities";

export function RequestReturnDialog({ order, onClose }: ActProps) {
  const [chosen, setChosen] = useState<Chosen>({});
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Record a return"
      path="returns"
      submit="Record the return"
      done="The return is recorded."
      wide
      body={(form) => ({ lines: linesOf(chosen), reason: form.get("reason") })}
    >
      {(about) => (
        <>
          <Quantities
            legend="What the buyer wants to send back"
            lines={order.lines}
            most={({ returnable }) => returnable}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <Words name="reason" label="Why, in the buyer's words" problem={about("reason")} />
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
      title="Approve the return"
      path={`returns/${of.id}/approval`}
      submit="Approve"
      done="The return is approved, and the buyer is written to."
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
      title="Reject the return"
      path={`returns/${of.id}/rejection`}
      submit="Reject"
      done="The return is rejected."
      body={(form) => ({ note: form.get("note"), message: form.get("message") })}
    >
      {(about) => (
        <>
          <Words name="note" label="Why, for staff" problem={about("note")} />
          <Words
            name="message"
            label="What the buyer is written (optional)"
            hint="Left empty, no letter goes out."
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
      title="What has come back"
      path={`returns/${of.id}/receipt`}
      submit="Record what came"
      done="What came back is recorded."
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
                <th scope="col">Goods</th>
                <th scope="col">To the shelf</th>
                <th scope="col">Written off</th>
              </tr>
            </thead>
            <tbody>
              {of.lines.map(({ line_id, title, quantity }) => (
                <tr key={line_id}>
                  <th scope="row">
                    {title}
                    <small>{`${quantity} announced`}</small>
                  </th>
                  <td>
                    <input
                      className="input"
                      type="number"
                      min={0}
                      max={quantity}
                      name={`restocked ${line_id}`}
                      defaultValue={quantity}
                      aria-label={`${title}: to the shelf`}
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
                      aria-label={`${title}: written off`}
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
    <Labelled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => <textarea className="input" name={name} maxLength={2_000} {...control} />}
    </Labelled>
  );
}
