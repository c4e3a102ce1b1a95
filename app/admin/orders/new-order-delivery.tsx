import type { Address, ShippingOption } from "../../lib/types";
import { Field, Labeled } from "../../ui/field";
import { StateField } from "../../ui/state-field";
import { dollars } from "../parts/cents";
import type { PanelProps } from "./new-order-items";

interface Props extends PanelProps {
  /** Shipping methods for these items and this address. */
  shippingOptions: ShippingOption[];
  method: string;
  /** An existing draft order stays one, so the payment method cannot be changed. */
  isDraft: boolean;
  takesCards: boolean;
  storeAddress: string;
  isMailOn: boolean;
}

/** Payment and delivery method. */
export function DeliveryPanel(props: Props) {
  const { order, change, isDraft, takesCards, storeAddress } = props;
  const byLink = order.paid === "link";
  return (
    <section className="panel admin-form" aria-labelledby="new-delivery">
      <h2 id="new-delivery">Payment and delivery</h2>
      {!isDraft && (
        <fieldset className="new-choices">
          <legend className="label">Payment method</legend>
          <Choice
            name="paid"
            title="In store"
            note={`At pickup, ${storeAddress}`}
            checked={!byLink}
            onChoose={() => change({ paid: "counter" })}
          />
          {takesCards && (
            <Choice
              name="paid"
              title="Payment link"
              note="The customer confirms their age and pays by card"
              checked={byLink}
              onChoose={() => change({ paid: "link" })}
            />
          )}
        </fieldset>
      )}
      {byLink && <PaymentLinkFields {...props} />}
    </section>
  );
}

function PaymentLinkFields(props: Props) {
  const { order, change, about, isMailOn } = props;
  const { delivery, message, mail, email } = order;
  return (
    <>
      <fieldset className="new-choices">
        <legend className="label">Delivery method</legend>
        <Choice
          name="delivery"
          title="Ship"
          note="To an address in the United States"
          checked={delivery === "ship"}
          onChoose={() => change({ delivery: "ship" })}
        />
        <Choice
          name="delivery"
          title="Pickup"
          note="In our store, free"
          checked={delivery === "pickup"}
          onChoose={() => change({ delivery: "pickup" })}
        />
      </fieldset>
      {delivery === "ship" && <ShippingFields {...props} />}
      {isMailOn ? (
        <>
          <Labeled label="Message in the email (optional)" problem={about("message")}>
            {(control) => (
              <textarea
                {...control}
                className="input"
                name="message"
                rows={3}
                maxLength={1000}
                value={message}
                onChange={({ target }) => change({ message: target.value })}
              />
            )}
          </Labeled>
          <label className="admin-check">
            <input
              type="checkbox"
              checked={mail}
              onChange={({ target }) => change({ mail: target.checked })}
            />
            {`Email the link${email ? ` to ${email}` : ""}`}
          </label>
        </>
      ) : (
        <p className="field-hint">
          Email is off. Copy the link from the draft order and send it yourself.
        </p>
      )}
    </>
  );
}

const ADDRESS_FIELDS: [name: keyof Address, label: string, half?: true][] = [
  ["line1", "Street address"],
  ["line2", "Apartment, suite, etc. (optional)", true],
  ["company", "Company (optional)", true],
  ["city", "City"],
];

function ShippingFields({ order, change, about, shippingOptions, method }: Props) {
  const { address } = order;
  const set = (name: keyof Address, value: string) =>
    change({ address: { ...address, [name]: value } });
  return (
    <>
      <div className="order-address">
        {ADDRESS_FIELDS.map(([name, label, half]) => (
          <div key={name} data-half={half}>
            <Field
              name={`address.${name}`}
              label={label}
              autoComplete="off"
              value={address[name]}
              onChange={({ target }) => set(name, target.value)}
              problem={about(`address.${name}`)}
            />
          </div>
        ))}
        <div data-half>
          <StateField
            name="address.state"
            label="State"
            value={address.state}
            onChange={({ target }) => set("state", target.value)}
            problem={about("address.state")}
          />
        </div>
        <div data-half>
          <Field
            name="address.postal_code"
            label="ZIP code"
            inputMode="numeric"
            autoComplete="off"
            value={address.postal_code}
            onChange={({ target }) => set("postal_code", target.value)}
            problem={about("address.postal_code")}
          />
        </div>
      </div>
      {shippingOptions.length > 0 && (
        <fieldset className="new-choices">
          <legend className="label">Shipping</legend>
          {shippingOptions.map(({ code, name, estimate, price }) => (
            <Choice
              key={code}
              name="shipping_method"
              title={`${name}, ${price === 0 ? "Free" : dollars(price)}`}
              note={estimate}
              checked={code === method}
              onChoose={() => change({ method: code })}
            />
          ))}
        </fieldset>
      )}
      {shippingOptions.length === 0 && about("shipping_method") && (
        <p className="field-error" role="alert">
          {about("shipping_method")}
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  name: string;
  title: string;
  note: string;
  checked: boolean;
  onChoose: () => void;
}

function Choice({ name, title, note, checked, onChoose }: ChoiceProps) {
  return (
    <label className="new-choice">
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span>
        {title}
        <small>{note}</small>
      </span>
    </label>
  );
}
