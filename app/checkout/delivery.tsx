import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import type { AddressView, Quote, StateView } from "../lib/types";
import { AddressFields, type FieldsProps, NameFields } from "./address-fields";
import type { Form } from "./form-state";
import { SavedAddresses } from "./saved-addresses";
import { Choice, Section } from "./section";
import { ShipRest } from "./ship-rest";

/** Of an account, as on the server. */
const MOST_ADDRESSES = 20;

interface Props extends FieldsProps {
  states: StateView[];
  busy: boolean;
  quote: Quote | null;
  fresh: boolean;
  /** The shipping methods that are offered. */
  options: Quote["shipping_options"];
  /** The code of the chosen shipping method. */
  method: string;
  /** The account's saved addresses. */
  addresses: AddressView[];
  storeAddress: string;
  saveAddress: boolean;
  onSaveAddress: (save: boolean) => void;
}

export function Delivery(props: Props) {
  const { form, change, quote, busy, storeAddress } = props;
  const ships = form.delivery === "ship";
  const canPickUp = !quote || quote.shipping_options.some(({ pickup }) => pickup);
  return (
    <Section id="delivery" title="Delivery" busy={busy}>
      <fieldset className="ways-of">
        <legend className="visually-hidden">Choose how to get your order</legend>
        <Choice
          name="delivery"
          value="ship"
          checked={ships}
          title="Ship it"
          note="To an address in the United States"
          onChoose={() => change({ delivery: "ship" })}
        />
        {(canPickUp || !ships) && (
          <Choice
            name="delivery"
            value="pickup"
            checked={!ships}
            title="Pick it up"
            note={`In our store, ${storeAddress}`}
            end="Free"
            onChoose={() => change({ delivery: "pickup" })}
          />
        )}
      </fieldset>
      <Restrictions {...props} canPickUp={canPickUp} />
      {ships ? (
        <>
          <ShippingAddress {...props} />
          <ShippingMethods {...props} />
        </>
      ) : (
        <div className="checkout-fields">
          <NameFields {...props} />
          <p className="field-hint wide">
            Bring a photo ID. You must be 21 or older to pick up an order. We’ll email you when it’s
            ready.
          </p>
        </div>
      )}
      {quote?.adult_signature && ships && (
        <p className="field-hint">
          An adult 21 or older must be there to show ID and sign for the package.
        </p>
      )}
      <button
        type="submit"
        name="do"
        value="quote"
        className="button button-quiet needs-no-scripts"
      >
        Update delivery and total
      </button>
    </Section>
  );
}

/** Items that cannot be delivered this way, with the alternatives. */
function Restrictions({ quote, form, change, canPickUp }: Props & { canPickUp: boolean }) {
  const restrictions =
    quote?.problems.filter(({ code }) => code === "restricted" || code === "not_shipped") ?? [];
  const isHeldUp = restrictions.length > 0 && form.delivery === "ship";
  return (
    <div className="checkout-note" role="status">
      {restrictions.map(({ id, message }) => (
        <p key={id ?? message}>{message}</p>
      ))}
      {isHeldUp && quote && <ShipRest quote={quote} />}
      {isHeldUp && canPickUp && (
        <button
          type="button"
          className="link needs-scripts"
          onClick={() => change({ delivery: "pickup" })}
        >
          Pick up everything in our store
        </button>
      )}
    </div>
  );
}

function ShippingAddress(props: Props) {
  const { change, addresses, saveAddress, onSaveAddress } = props;
  const { user } = useShared();
  const fields = <AddressFields {...props} />;
  if (!user) return fields;
  const choose = (part: Partial<Form>) => {
    change(part);
    onSaveAddress(false);
  };
  return (
    <SavedAddresses {...props} change={choose}>
      {fields}
      {addresses.length < MOST_ADDRESSES && (
        <label className="account-check needs-scripts">
          <input
            type="checkbox"
            checked={saveAddress}
            onChange={({ target }) => onSaveAddress(target.checked)}
          />
          Save this address to my account
        </label>
      )}
    </SavedAddresses>
  );
}

function ShippingMethods({ options, method, about, change, fresh }: Props) {
  const { currency } = useShared();
  const problem = about("shipping_method");
  if (options.length === 0 && !problem) return null;
  return (
    <fieldset className="ways-of" aria-busy={!fresh}>
      <legend className="label">Shipping</legend>
      {options.map(({ code, name, estimate, price }) => (
        <Choice
          key={code}
          name="shipping_method"
          value={code}
          checked={code === method}
          title={name}
          note={estimate}
          end={price === 0 ? "Free" : formatMoney({ amount: price, currency })}
          onChoose={() => change({ method: code })}
        />
      ))}
      {problem && <p className="field-error">{problem}</p>}
    </fieldset>
  );
}
