import { addressOf, text } from "../../lib/form";
import type { Address } from "../../lib/types";
import { Field } from "../../ui/field";
import { StateField } from "../../ui/state-field";
import { staffCall } from "../call";
import { type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { TextArea } from "./text-area";

export function AttentionDialog({ order, onClose }: OrderDialogProps) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Mark as resolved"
      submit="Mark as resolved"
      done="The order no longer needs attention."
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/attention`, {
          method: "POST",
          body: { version, note: text(form, "note") },
        })
      }
    >
      {(about) => (
        <>
          <p>{order.attention}</p>
          <TextArea name="note" label="What was done" problem={about("note")} />
        </>
      )}
    </OrderFormDialog>
  );
}

export function ArchiveDialog({ order, onClose }: OrderDialogProps) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Archive order"
      submit="Archive"
      done="Order archived."
      send={(_, version) =>
        staffCall(`/api/admin/orders/${order.number}/archive`, {
          method: "POST",
          body: { version },
        })
      }
    >
      {() => (
        <p>
          Archived orders are marked as done and stay in the list. They can still be refunded and
          returned, but their shipments and pickups can no longer be undone. Archiving can’t be
          undone, either.
        </p>
      )}
    </OrderFormDialog>
  );
}

const FIELDS: [name: keyof Address, label: string, half?: true][] = [
  ["first_name", "First name", true],
  ["last_name", "Last name", true],
  ["company", "Company (optional)"],
  ["line1", "Street address"],
  ["line2", "Apartment, suite, etc. (optional)"],
  ["city", "City"],
];

export function AddressDialog({ order, onClose }: OrderDialogProps) {
  const { address } = order;
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Change delivery address"
      submit="Save address"
      done="Address changed."
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/address`, {
          method: "PUT",
          body: { version, address: addressOf(form) },
        })
      }
    >
      {(about) => (
        <>
          <div className="order-address">
            {FIELDS.map(([name, label, half]) => (
              <div key={name} data-half={half}>
                <Field
                  name={name}
                  label={label}
                  defaultValue={address?.[name] ?? ""}
                  autoComplete="off"
                  problem={about(`address.${name}`)}
                />
              </div>
            ))}
            <div data-half>
              <StateField
                name="state"
                label="State"
                defaultValue={address?.state ?? ""}
                problem={about("address.state")}
              />
            </div>
            <div data-half>
              <Field
                name="postal_code"
                label="ZIP code"
                defaultValue={address?.postal_code ?? ""}
                autoComplete="off"
                problem={about("address.postal_code")}
              />
            </div>
            <div>
              <Field
                name="phone"
                label="Phone (optional)"
                type="tel"
                defaultValue={address?.phone ?? ""}
                autoComplete="off"
                problem={about("address.phone")}
              />
            </div>
          </div>
          <p className="field-hint">
            Allowed only if shipping and tax stay the same as what the customer paid.
          </p>
        </>
      )}
    </OrderFormDialog>
  );
}
