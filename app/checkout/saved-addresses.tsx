import { type ReactNode, useEffect, useState } from "react";
import { ApiError, call } from "../lib/api";
import type { AddressView, Me } from "../lib/types";
import { addressOf, type Form } from "./form-state";
import { Choice } from "./section";

interface Props {
  form: Form;
  change: (part: Partial<Form>) => void;
  /** The form for another address. */
  children: ReactNode;
}

/** A signed-in shopper's addresses to choose from; the default one is chosen unless something was entered. */
export function SavedAddresses({ form, change, children }: Props) {
  const [addresses, setAddresses] = useState<AddressView[]>([]);
  const [entering, setEntering] = useState(form.line1 !== "");
  const chosen = addresses.find((address) => isSame(address, form));

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; the form may change meanwhile.
  useEffect(() => {
    const abort = new AbortController();
    call<Me>("/api/me", { signal: abort.signal, retry: 1 }).then(
      (me) => {
        setAddresses(me.addresses);
        const first = me.addresses.find(({ is_default }) => is_default) ?? me.addresses[0];
        if (form.line1 === "" && first) change(fieldsOf(first));
        const known = me.addresses.some((address) => isSame(address, form));
        setEntering(form.line1 !== "" && !known);
      },
      (error: unknown) => {
        // Without them the address is typed.
        if (!abort.signal.aborted && !(error instanceof ApiError)) throw error;
      },
    );
    return () => abort.abort();
  }, []);

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
            checked={!entering && address === chosen}
            title={`${address.first_name} ${address.last_name}`}
            note={[
              address.line1,
              address.line2,
              `${address.city}, ${address.state} ${address.postal_code}`,
            ]
              .filter(Boolean)
              .join(", ")}
            onChoose={() => {
              setEntering(false);
              change(fieldsOf(address));
            }}
          />
        ))}
        <Choice
          name="saved_address"
          value="new"
          checked={entering || !chosen}
          title="Another address"
          note="Enter it below"
          onChoose={() => {
            setEntering(true);
            change({ line1: "", line2: "", company: "", city: "", state: "", postal_code: "" });
          }}
        />
      </fieldset>
      {(entering || !chosen) && children}
    </>
  );
}

function fieldsOf(address: AddressView): Partial<Form> {
  const { first_name, last_name, company, line1, line2, city, state, postal_code } = address;
  return { first_name, last_name, company, line1, line2, city, state, postal_code };
}

function isSame(address: AddressView, form: Form): boolean {
  return (
    JSON.stringify(fieldsOf(address)) === JSON.stringify({ ...addressOf(form), phone: undefined })
  );
}
