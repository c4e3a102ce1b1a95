import { useState } from "react";
import { staffCall } from "../call";
import { useIsMailOn } from "../parts/mail";
import { Checkbox } from "./checkbox";
import { emailedText, type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { allLinesOf, maximumOf, Quantities } from "./quantities";
import { TenderField, tenderOf } from "./tender-field";

export function CancelDialog({ order, onClose }: OrderDialogProps) {
  const { lines, acts } = order;
  const isMailOn = useIsMailOn();
  const [chosen, setChosen] = useState(() => maximumOf(lines, ({ open }) => open));
  const [asked, setBy] = useState<"shopper" | "shop" | "nobody">("shopper");
  const isWaiting = order.picked_up && order.is_ready;
  // It may no longer be ready when the order is loaded again.
  const by = asked === "nobody" && !isWaiting ? "shopper" : asked;
  /** Null until it is chosen: then it follows who has asked, so that what cannot be found is not sold again. */
  const [restock, setRestock] = useState<boolean | null>(null);
  const isAll = lines.every(({ id, open }) => (chosen[id] ?? 0) === open);
  const isWhole = isAll && lines.every(({ shipped }) => shipped === 0);
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Cancel unshipped items"
      submit={isWhole ? "Cancel order" : "Cancel these items"}
      done={emailedText("Canceled.", order, isMailOn)}
      wide
      send={(form, version) =>
        staffCall(`/api/admin/orders/${order.number}/cancellation`, {
          method: "POST",
          body: {
            version,
            lines: allLinesOf(chosen),
            restock: form.has("restock"),
            by_shopper: form.get("by") === "shopper",
            not_picked_up: form.get("by") === "nobody",
            given_as: acts.given_in_store ? tenderOf(form, "given_as") : null,
          },
        })
      }
    >
      {(about) => (
        <>
          <p>
            {isWhole
              ? "The whole order is canceled, including shipping. Anything paid is refunded."
              : "The amount paid for these items is refunded. Shipping isn’t refunded."}
          </p>
          <Quantities
            legend="Items to cancel"
            lines={lines}
            maximum={({ open }) => open}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <fieldset className="order-radios">
            <legend className="label">Requested by</legend>
            <label className="admin-check">
              <input
                type="radio"
                name="by"
                value="shopper"
                checked={by === "shopper"}
                onChange={() => setBy("shopper")}
              />
              Customer
            </label>
            <label className="admin-check">
              <input
                type="radio"
                name="by"
                value="shop"
                checked={by === "shop"}
                onChange={() => setBy("shop")}
              />
              Us: we can’t fulfill it
            </label>
            {isWaiting && (
              <label className="admin-check">
                <input
                  type="radio"
                  name="by"
                  value="nobody"
                  checked={by === "nobody"}
                  onChange={() => setBy("nobody")}
                />
                Nobody: it wasn’t picked up
              </label>
            )}
          </fieldset>
          <Checkbox
            name="restock"
            checked={restock ?? by !== "shop"}
            onChange={({ target }) => setRestock(target.checked)}
          >
            Restock items
          </Checkbox>
          {acts.given_in_store && (
            <TenderField legend="Refund method" name="given_as" problem={about("given_as")} />
          )}
        </>
      )}
    </OrderFormDialog>
  );
}
