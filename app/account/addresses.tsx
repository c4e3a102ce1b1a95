import { useState } from "react";
import { call } from "../lib/api";
import { addressOf, text } from "../lib/form";
import type { AccountPage, AddressView, RefusedForm } from "../lib/types";
import { useSave } from "../lib/use-save";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { StateField } from "../ui/state-field";
import {
  AccountForm,
  ActionForm,
  CloseLink,
  FormErrors,
  firstInvalid,
  OpenButton,
  refusalOf,
} from "./form";

export function Addresses(props: AccountPage) {
  const { me, open } = props;
  const [adding, setAdding] = useState(open === "add_address");
  return (
    <>
      {me.addresses.length > 0 ? (
        <ul className="account-cards">
          {me.addresses.map((address) => (
            <Address key={address.id} address={address} />
          ))}
        </ul>
      ) : (
        <p className="field-hint">No addresses yet. Your first one becomes the default.</p>
      )}
      <FormErrors messages={refusalOf(props, "remove_address")?.errors.id} />
      {adding ? (
        <AddressForm refused={refusalOf(props, "add_address")} onDone={() => setAdding(false)} />
      ) : (
        <OpenButton
          act="add_address"
          className="button button-quiet"
          onOpen={() => setAdding(true)}
        >
          Add an address
        </OpenButton>
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
      <ActionForm
        act="remove_address"
        part="addresses"
        about={address.id}
        send={remove}
        summary="Address removed."
        gone="This address isn’t in your account anymore."
        className="link"
        aria-label={`Remove address ${line1}, ${city}`}
      >
        Remove
      </ActionForm>
    </li>
  );
}

const FIELDS = [
  { name: "first_name", label: "First name", autoComplete: "given-name" },
  { name: "last_name", label: "Last name", autoComplete: "family-name" },
  { name: "company", label: "Company (optional)", autoComplete: "organization" },
  { name: "line1", label: "Street address", autoComplete: "address-line1" },
  { name: "line2", label: "Apartment, suite, etc. (optional)", autoComplete: "address-line2" },
  { name: "city", label: "City", autoComplete: "address-level2" },
];

/** All field names, in the order of the form. */
const NAMES = [...FIELDS.map(({ name }) => name), "state", "postal_code", "phone"];

interface FormProps {
  refused: RefusedForm | null;
  onDone: () => void;
}

function AddressForm({ refused, onDone }: FormProps) {
  const first = firstInvalid(refused, NAMES) ?? NAMES[0];
  const { save, busy, about } = useSave(
    (data) => {
      const body = {
        ...addressOf(data),
        is_default: data.get("is_default") === "on",
        user_id: text(data, "user_id"),
      };
      return call("/api/me/addresses", { method: "POST", body });
    },
    { summary: "Address saved.", after: onDone },
    refused?.errors,
  );
  const control = (name: string) => ({
    name,
    defaultValue: refused?.typed[name],
    autoFocus: name === first,
    problem: about(name),
  });
  return (
    <AccountForm className="account-form" onSubmit={save} aria-label="New address">
      {FIELDS.map(({ name, ...field }) => (
        <Field key={name} {...field} {...control(name)} />
      ))}
      <StateField label="State" {...control("state")} />
      <Field
        label="ZIP code"
        inputMode="numeric"
        autoComplete="postal-code"
        {...control("postal_code")}
      />
      <Field label="Phone (optional)" type="tel" autoComplete="tel" {...control("phone")} />
      <label className="account-check">
        <input
          type="checkbox"
          name="is_default"
          defaultChecked={refused?.typed.is_default !== undefined}
        />
        Make this my default address
      </label>
      <div className="sheet-acts">
        <Button type="submit" name="do" value="add_address" aria-disabled={busy}>
          Save address
        </Button>
        <CloseLink part="addresses" onClose={onDone}>
          Cancel
        </CloseLink>
      </div>
    </AccountForm>
  );
}
