import { useState } from "react";
import { Field } from "../../ui/field";
import { ActDialog, type ActProps } from "./act-dialog";
import { Check } from "./check";
import { allOf, linesOf, Quantities } from "./quantities";

export function ShipDialog({ order, onClose }: ActProps) {
  const { lines, adult_signature, needs_label } = order;
  const [chosen, setChosen] = useState(() => allOf(lines, ({ open }) => open));
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Send a parcel"
      path="shipment"
      submit="Record the parcel"
      done="The parcel is recorded, and the buyer is written to."
      wide
      body={(form) => ({
        lines: linesOf(chosen),
        carrier: form.get("carrier"),
        tracking_number: form.get("tracking_number"),
        tracking_url: form.get("tracking_url") || null,
        adult_signature: form.has("adult_signature"),
        label: form.has("label"),
      })}
    >
      {(about) => (
        <>
          <Quantities
            legend="In this parcel"
            lines={lines}
            most={({ open }) => open}
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
          {adult_signature && (
            <Check name="adult_signature" problem={about("adult_signature")}>
              The carrier was told to hand it to an adult of 21 or older, who signs
            </Check>
          )}
          {needs_label && (
            <Check name="label" problem={about("label")}>
              The parcel bears the marks that its goods call for, and travels by ground only
            </Check>
          )}
        </>
      )}
    </ActDialog>
  );
}

export function HandOverDialog({ order, onClose }: ActProps) {
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Hand the goods over"
      path="handover"
      submit="Handed over"
      done="The goods are handed over."
      body={(form) => ({ id_checked: form.has("id_checked") })}
    >
      {(about) => (
        <>
          <p>All that is open of this order leaves with whoever picks it up.</p>
          <IdChecked problem={about("id_checked")} />
        </>
      )}
    </ActDialog>
  );
}

export function TakePaymentDialog({ order, onClose }: ActProps) {
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Take the payment"
      path="payment"
      submit="The money was taken"
      done="The payment is recorded."
      body={(form) => ({ tender: form.get("tender"), id_checked: form.has("id_checked") })}
    >
      {(about) => (
        <>
          <Tender legend="How it was paid" name="tender" problem={about("tender")} />
          <IdChecked problem={about("id_checked")} />
        </>
      )}
    </ActDialog>
  );
}

function IdChecked({ problem }: { problem: string | undefined }) {
  return (
    <Check name="id_checked" problem={problem}>
      I have seen a photo ID: this person is 21 or older
    </Check>
  );
}

interface TenderProps {
  legend: string;
  name: string;
  problem: string | undefined;
}

/** How money changes hands in the store. */
export function Tender({ legend, name, problem }: TenderProps) {
  return (
    <fieldset className="order-radios">
      <legend className="label">{legend}</legend>
      <label className="admin-check">
        <input type="radio" name={name} value="cash" defaultChecked />
        In cash
      </label>
      <label className="admin-check">
        <input type="radio" name={name} value="terminal" />
        By card at the terminal
      </label>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
