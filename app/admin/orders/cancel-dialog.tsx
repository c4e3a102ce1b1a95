import { useState } from "react";
import { ActDialog, type ActProps } from "./act-dialog";
import { Check } from "./check";
import { Tender } from "./parcels";
import { allOf, linesOf, Quantities } from "./quantities";

export function CancelDialog({ order, onClose }: ActProps) {
  const { lines, acts } = order;
  const [chosen, setChosen] = useState(() => allOf(lines, ({ open }) => open));
  const isAll = lines.every(({ id, open }) => (chosen[id] ?? 0) === open);
  const isWhole = isAll && lines.every(({ left }) => left === 0);
  return (
    <ActDialog
      order={order}
      onClose={onClose}
      title="Cancel what has not left"
      path="cancellation"
      submit={isWhole ? "Cancel the order" : "Cancel these goods"}
      done="It is canceled, and the buyer is written to."
      wide
      body={(form) => ({
        lines: isAll ? [] : linesOf(chosen),
        restock: form.has("restock"),
        by_shopper: form.get("by") === "shopper",
        given_as: acts.given_in_store ? form.get("given_as") : null,
      })}
    >
      {(about) => (
        <>
          <p>
            {isWhole
              ? "All of the order, its shipping included, is canceled. What was paid goes back."
              : "What was paid for these goods goes back. Shipping stays paid."}
          </p>
          <Quantities
            legend="Not to be sent"
            lines={lines}
            most={({ open }) => open}
            chosen={chosen}
            onChange={setChosen}
            problem={about("lines")}
          />
          <fieldset className="order-radios">
            <legend className="label">Whose wish it is</legend>
            <label className="admin-check">
              <input type="radio" name="by" value="shopper" defaultChecked />
              The buyer's
            </label>
            <label className="admin-check">
              <input type="radio" name="by" value="shop" />
              Ours: we cannot carry it out
            </label>
          </fieldset>
          <Check name="restock" defaultChecked>
            The goods go back on the shelf
          </Check>
          {acts.given_in_store && (
            <Tender
              legend="How the money is given back"
              name="given_as"
              problem={about("given_as")}
            />
          )}
        </>
      )}
    </ActDialog>
  );
}
