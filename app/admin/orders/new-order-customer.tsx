import type { FoundBuyer } from "../../lib/types";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { Combobox } from "../parts/combobox";
import type { PanelProps } from "./new-order-items";
import { isOnlyClaimed, withCustomer } from "./new-order-state";

/** The customer: an account, or a guest with an email address. */
export function CustomerPanel({ order, change, about }: PanelProps) {
  const { address, email, phone, paid } = order;
  const nameField = (name: "first_name" | "last_name", label: string) => (
    <Field
      // The two API calls use different field names.
      name={paid === "link" ? `address.${name}` : name}
      label={label}
      autoComplete="off"
      value={address[name]}
      onChange={({ target }) => change({ address: { ...address, [name]: target.value } })}
      problem={about(`address.${name}`) ?? about(name)}
    />
  );
  return (
    <section className="panel admin-form" aria-labelledby="new-buyer">
      <h2 id="new-buyer">Customer</h2>
      {paid === "link" && order.user_id && (
        <p className="find-chosen">
          <span>
            Account <b>{order.account}</b>
          </span>
          <button
            type="button"
            className="link"
            onClick={() => change({ user_id: null, account: "" })}
          >
            Use guest instead
          </button>
        </p>
      )}
      <Combobox
        label="Find a customer account"
        hint="Name or email. Fills in their saved details."
        fetchMatches={async (query, signal) =>
          (await staffCall(`/api/admin/orders/buyers?${query}`, { signal })).buyers
        }
        id={({ user_id }) => user_id}
        show={(found) => (
          <>
            <span>{found.name || found.email}</span>
            <small>{detailsOf(found)}</small>
          </>
        )}
        onChoose={(found) => change(withCustomer(order, found))}
      />
      {about("user_id") && (
        <p className="field-error" role="alert">
          {about("user_id")}
        </p>
      )}
      <div className="order-pair">
        {nameField("first_name", "First name")}
        {nameField("last_name", "Last name")}
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          value={email}
          onChange={({ target }) => change({ email: target.value })}
          problem={about("email")}
        />
        <Field
          name="phone"
          label="Phone (optional)"
          type="tel"
          autoComplete="off"
          value={phone}
          onChange={({ target }) => change({ phone: target.value })}
          problem={about("phone")}
        />
      </div>
    </section>
  );
}

function detailsOf(found: FoundBuyer): string {
  const { name, email, address } = found;
  const place = address && `${address.city}, ${address.state}`;
  const parts = [name && email, isOnlyClaimed(found) && "email not verified", place];
  return parts.filter(Boolean).join(" · ");
}
