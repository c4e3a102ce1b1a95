import { useState } from "react";
import { text } from "../../lib/form";
import type { AdminLine, ReturnView } from "../../lib/types";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { dollars } from "../parts/cents";
import { amountText, cents } from "./amounts";
import { type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { type Chosen, linesOf, maximumOf, Quantities } from "./quantities";
import { TenderField, tenderOf, tenderOrCard } from "./tender-field";

/** Refunds an order, or the received items of a return. */
export function RefundDialog({ order, onClose, of }: OrderDialogProps & { of?: ReturnView }) {
  const { lines, totals, acts } = order;
  const returned = (line: AdminLine) => {
    const found = of?.lines.find(({ line_id }) => line_id === line.id);
    return found ? found.restocked + found.written_off : 0;
  };
  const maximum = (line: AdminLine) =>
    of ? Math.min(returned(line), line.shares.length) : line.shares.length;
  const [request] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<Chosen>(() => (of ? maximumOf(lines, maximum) : {}));
  const [shipping, setShipping] = useState("");
  const [extra, setExtra] = useState("");
  const cardFailed = !acts.given_in_store && totals.by_hand_refundable > 0;

  const amountOf = ({ shares }: AdminLine, quantity: number) => shares[quantity - 1] ?? 0;
  const linesAmount = lines.reduce((sum, line) => sum + amountOf(line, chosen[line.id] ?? 0), 0);
  const amount = linesAmount + (cents(shipping) ?? 0) + (cents(extra) ?? 0);

  function givenAs(form: FormData): "cash" | "terminal" | null {
    if (acts.given_in_store) return tenderOf(form, "given_as");
    return cardFailed ? tenderOrCard(form, "given_as") : null;
  }

  function refundEverything(): void {
    const all = lines.reduce((sum, { shares }) => sum + (shares.at(-1) ?? 0), 0);
    // After an earlier refund of an additional amount the sums differ; then the rest is refunded as an additional amount, too.
    const fits = all + totals.shipping_refundable === totals.refundable;
    setChosen(fits ? maximumOf(lines, ({ shares }) => shares.length) : {});
    setShipping(fits ? amountText(totals.shipping_refundable) : "");
    setExtra(fits ? "" : amountText(totals.refundable));
  }

  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title={of ? "Refund return" : "Refund"}
      submit={`Refund ${dollars(amount)}`}
      done={(form) =>
        givenAs(form)
          ? `Refunded ${dollars(amount)} to the customer.`
          : `Refund of ${dollars(amount)} to the card started.`
      }
      wide
      send={(form, version) => {
        const body = {
          version,
          request_id: request,
          lines: linesOf(chosen),
          shipping: cents(shipping) ?? -1,
          extra: cents(extra) ?? -1,
          reason: text(form, "reason"),
          expected_amount: amount,
          given_as: givenAs(form),
        };
        return of
          ? staffCall(`/api/admin/orders/${order.number}/returns/${of.id}/refund`, {
              method: "POST",
              body,
            })
          : staffCall(`/api/admin/orders/${order.number}/refunds`, { method: "POST", body });
      }}
    >
      {(about) => (
        <>
          <p className="order-refundable">
            {`Up to ${dollars(totals.refundable)} can be refunded.`}
            {totals.reclaimed > 0 &&
              ` The customer’s bank has already taken back ${dollars(totals.reclaimed)}.`}
            {!of && (
              <button type="button" className="link" onClick={refundEverything}>
                Refund everything
              </button>
            )}
          </p>
          <Quantities
            legend="Items to refund"
            lines={lines}
            maximum={maximum}
            chosen={chosen}
            onChange={setChosen}
            amountOf={(line, quantity) => dollars(amountOf(line, quantity))}
            problem={about("lines")}
          />
          <div className="order-pair">
            <Field
              name="shipping"
              label="Shipping ($)"
              inputMode="decimal"
              hint={`Up to ${dollars(totals.shipping_refundable)}.`}
              value={shipping}
              onChange={({ target }) => setShipping(target.value)}
              problem={about("shipping")}
            />
            <Field
              name="extra"
              label="Additional amount ($)"
              inputMode="decimal"
              hint="Requires a reason."
              value={extra}
              onChange={({ target }) => setExtra(target.value)}
              problem={about("extra")}
            />
          </div>
          <Field name="reason" label="Reason" maxLength={150} problem={about("reason")} />
          {cardFailed && (
            <p>
              {`Refunding ${dollars(totals.by_hand_refundable)} to the card failed. That amount can be paid out in store.`}
            </p>
          )}
          {(acts.given_in_store || cardFailed) && (
            <TenderField
              legend="Refund method"
              name="given_as"
              withCard={cardFailed}
              problem={about("given_as")}
            />
          )}
        </>
      )}
    </OrderFormDialog>
  );
}
