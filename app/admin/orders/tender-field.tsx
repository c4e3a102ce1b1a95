import { choice } from "../../lib/form";

interface TenderProps {
  legend: string;
  name: string;
  /** A refund may go to the card, too. */
  withCard?: boolean;
  problem: string | undefined;
}

/** The choice made in a `Tender` field of this name. */
export const tenderOf = (form: FormData, name: string) => choice(form, name, ["cash", "terminal"]);

/** The choice made in such a field with a card; null if the refund goes to the card. */
export function tenderOrCard(form: FormData, name: string): "cash" | "terminal" | null {
  const chosen = choice(form, name, ["card", "cash", "terminal"]);
  return chosen === "card" ? null : chosen;
}

/** How the customer pays or is refunded in the store. */
export function TenderField({ legend, name, withCard = false, problem }: TenderProps) {
  return (
    <fieldset className="order-radios">
      <legend className="label">{legend}</legend>
      {withCard && (
        <label className="admin-check">
          <input type="radio" name={name} value="card" defaultChecked />
          To the customer’s card
        </label>
      )}
      <label className="admin-check">
        <input type="radio" name={name} value="cash" defaultChecked={!withCard} />
        Cash
      </label>
      <label className="admin-check">
        <input type="radio" name={name} value="terminal" />
        Card at the terminal
      </label>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
