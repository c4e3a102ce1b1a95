import { useState } from "react";
import { text } from "../../lib/form";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { useIsMailOn } from "../parts/mail";
import { Checkbox } from "./checkbox";
import { emailedText, type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { linesOf, maximumOf, Quantities } from "./quantities";
import { TenderField, tenderOf } from "./tender-field";

export function ShipDialog({ order, onClose }: OrderDialogProps) {
  const { lines, adult_signature, needs_label } = order;
  const isMailOn = useIsMailOn();
  const [chosen, setChosen] = useState(() => maximumOf(lines, ({ open }) => open));
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Ship items"
      submit="Mark as shipped"
      done={emailedText("Marked as shipped.", order, isMailOn)}
      wide
      mayConfirmRules={order.acts.confirm_rules}
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/shipment`, {
          method: "POST",
          body: {
            version,
            lines: linesOf(chosen),
            carrier: text(form, "carrier"),
            tracking_number: text(form, "tracking_number"),
            tracking_url: text(form, "tracking_url") || null,
            adult_signature: form.has("adult_signature"),
            label: form.has("label"),
            confirm_rules: text(form, "confirm_rules") || null,
          },
        })
      }
    >
      {(about) => (
        <>
          <RefundedNote order={order} />
          <Quantities
            legend="In this package"
            lines={lines}
            maximum={({ open }) => open}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <div className="order-pair">
            <Field
              name="carrier"
              label="Carrier and service"
              defaultValue="UPS Ground"
              autoComplete="off"
              problem={about("carrier")}
            />
            <Field
              name="tracking_number"
              label="Tracking number"
              autoComplete="off"
              problem={about("tracking_number")}
            />
          </div>
          <Field
            name="tracking_url"
            label="Tracking page (optional)"
            type="url"
            placeholder="https://"
            autoComplete="off"
            problem={about("tracking_url")}
          />
          {(adult_signature || about("adult_signature")) && (
            <Checkbox name="adult_signature" problem={about("adult_signature")}>
              I booked adult signature (21+) with the carrier
            </Checkbox>
          )}
          {(needs_label || about("label")) && (
            <Checkbox name="label" problem={about("label")}>
              The package is marked as its contents require and ships by ground only
            </Checkbox>
          )}
        </>
      )}
    </OrderFormDialog>
  );
}

export function ReadyDialog({ order, onClose }: OrderDialogProps) {
  const isMailOn = useIsMailOn();
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Ready for pickup"
      submit="Mark as ready"
      done={emailedText("Marked as ready.", order, isMailOn)}
      send={(_, version) =>
        staffCall(`/api/admin/orders/${order.number}/ready`, {
          method: "POST",
          body: { version },
        })
      }
    >
      {() => (
        <p>
          The whole order is ready in the store.{" "}
          {isMailOn
            ? "We’ll email the customer that it can be picked up."
            : "Email is off: tell the customer yourself that it can be picked up."}
        </p>
      )}
    </OrderFormDialog>
  );
}

export function HandOverDialog({ order, onClose }: OrderDialogProps) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Mark as picked up"
      submit="Mark as picked up"
      done="Marked as picked up."
      mayConfirmRules={order.acts.confirm_rules}
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/handover`, {
          method: "POST",
          body: {
            version,
            id_checked: form.has("id_checked"),
            confirm_rules: text(form, "confirm_rules") || null,
          },
        })
      }
    >
      {(about) => (
        <>
          <p>All remaining items leave with the person picking up the order.</p>
          <RefundedNote order={order} />
          <IdCheckbox problem={about("id_checked")} />
        </>
      )}
    </OrderFormDialog>
  );
}

export function RecordPaymentDialog({ order, onClose }: OrderDialogProps) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Record payment"
      submit="Record payment"
      done="Payment recorded."
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/payment`, {
          method: "POST",
          body: {
            version,
            tender: tenderOf(form, "tender"),
            id_checked: form.has("id_checked"),
          },
        })
      }
    >
      {(about) => (
        <>
          <TenderField legend="Payment method" name="tender" problem={about("tender")} />
          <IdCheckbox problem={about("id_checked")} />
        </>
      )}
    </OrderFormDialog>
  );
}

/** Nothing is refused: the refund may have been a kindness. */
function RefundedNote({ order }: Pick<OrderDialogProps, "order">) {
  if (order.lines.every(({ refunded_unsent }) => refunded_unsent === 0)) return null;
  return <p>Some of these items were refunded. First cancel those that aren’t leaving.</p>;
}

function IdCheckbox({ problem }: { problem: string | undefined }) {
  return (
    <Checkbox name="id_checked" problem={problem}>
      I have seen a photo ID: this person is 21 or older
    </Checkbox>
  );
}
