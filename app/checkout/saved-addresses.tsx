import { type ReactNode, useState } from "react";
import type { AddressView } from "../lib/types";
import { type Form, placeOf } from "./form-state";
import { Choice } from "./section";

interface Props {
  addresses: AddressView[];
  form: Form;
  about: (field: string) => string | undefined;
  change: (part: Partial<Form>) => void;
  /** The form for another address. */
  children: ReactNode;
}

/** The account's addresses to choose from, or a form for another one. */
export function SavedAddresses({ addresses, form, about, change, children }: Props) {
  const [usesNewAddress, setUsesNewAddress] = useState(false);
  const place = placeOf(form);
  const entered = JSON.stringify(place);
  const chosen = addresses.find((address) => JSON.stringify(placeOf(address)) === entered);
  const isOfAddress = !form.phone || addresses.some(({ phone }) => phone === form.phone);
  // Only the form can show what is wrong with an address.
  const isWrong = Object.keys(place).some((name) => about(`address.${name}`));
  const showsForm = usesNewAddress || !chosen || isWrong;

  if (addresses.length === 0) return children;
  return (
    <>
      <fieldset className="ways-of">
        <legend className="label">Ship to</legend>
        {addresses.map((address) => (
          <Choice
            key={address.id}
            name="saved_address"
            value={address.id}
            checked={!showsForm && address === chosen}
            title={`${address.first_name} ${address.last_name}`}
            note={[
              address.line1,
              address.line2,
              `${address.city}, ${address.state} ${address.postal_code}`,
            ]
              .filter(Boolean)
              .join(", ")}
            onChoose={() => {
              setUsesNewAddress(false);
              // With its number, unless one was entered that is of no address.
              change({
                ...placeOf(address),
                phone: isOfAddress ? address.phone || form.phone : form.phone,
              });
            }}
          />
        ))}
        <Choice
          name="saved_address"
          value="new"
          checked={showsForm}
          title="Another address"
          note="Enter it below"
          onChoose={() => {
            setUsesNewAddress(true);
            change({ line1: "", line2: "", company: "", city: "", state: "", postal_code: "" });
          }}
        />
      </fieldset>
      {showsForm && children}
    </>
  );
}
