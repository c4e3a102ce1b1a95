import { useState } from "react";
import { call } from "../lib/api";
import type { AddressView, Me } from "../lib/types";
import { act, useSave } from "../lib/use-save";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { StateField } from "../ui/state-field";

export function Addresses({ me }: { me: Me }) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      {me.addresses.length > 0 ? (
        <ul className="account-cards">
          {me.addresses.map((address) => (
            <Address key={address.id} address={address} />
          ))}
        </ul>
      ) : (
        <p className="field-hint">No address yet. The first one becomes your default.</p>
      )}
      {adding ? (
        <AddressForm onDone={() => setAdding(false)} />
      ) : (
        <button type="button" className="button button-quiet" onClick={() => setAdding(true)}>
          Add an address
        </button>
      )}
    </>
  );
}

function Address({ address }: { address: AddressView }) {
  const { first_name, last_name, company, line1, line2, city, state, postal_code, phone } = address;
  const remove = () => call(`/api/me/addresses/${address.id}`, { method: "DELETE" });
  return (
    <li>
      {address.is_default && <p className="label">Default</p>}
      <address>
        <b>{`${first_name} ${last_name}`}</b>
        {[company, line1, line2, `${city}, ${state} ${postal_code}`, phone]
          .filter(Boolean)
          .map((line) => (
            <span key={line}>{line}</span>
          ))}
      </address>
      <button
        type="button"
        className="link"
        aria-label={`Remove the address ${line1}, ${city}`}
        onClick={() => act(remove, "The address is removed.")}
      >
        Remove
      </button>
    </li>
  );
}

const FIELDS = [
  { name: "first_name", label: "First name", autoComplete: "given-name" },
  { name: "last_name", label: "Last name", autoComplete: "family-name" },
  { name: "company", label: "Company (optional)", autoComplete: "organization" },
  { name: "line1", label: "Street and number", autoComplete: "address-line1" },
  { name: "line2", label: "Apartment, floor (optional)", autoComplete: "address-line2" },
  { name: "city", label: "City", autoComplete: "address-level2" },
];

function AddressForm({ onDone }: { onDone: () => void }) {
  const { save, busy, about } = useSave(
    (data) => {
      const body = { ...Object.fromEntries(data), is_default: data.get("is_default") === "on" };
      return call("/api/me/addresses", { method: "POST", body });
    },
    { summary: "The address is saved.", after: onDone },
  );
  return (
    <form className="account-form" noValidate onSubmit={save} aria-label="New address">
      {FIELDS.map((field, index) => (
        <Field key={field.name} {...field} autoFocus={index === 0} problem={about(field.name)} />
      ))}
      <StateField name="state" label="State" problem={about("state")} />
      <Field
        name="postal_code"
        label="ZIP code"
        inputMode="numeric"
        autoComplete="postal-code"
        problem={about("postal_code")}
      />
      <Field
        name="phone"
        label="Phone (optional)"
        type="tel"
        autoComplete="tel"
        problem={about("phone")}
      />
      <label className="account-check">
        <input type="checkbox" name="is_default" />
        Use as my default address
      </label>
      <div className="sheet-acts">
        <Button type="submit" disabled={busy}>
          Save address
        </Button>
        <button type="button" className="link" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
