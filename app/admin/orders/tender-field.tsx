import { choice } from "../../lib/form";

interface TenderProps {
  legend: string;
  name: string;
  problem: string | undefined;
}

/** The choice made in a `Tender` field of this name. */
export const tenderOf = (form: FormData, name: string) => choice(form, name, ["cash", "terminal"]);

/** How the customer pays or is refunded in the store. */
export function TenderField({ legend, name, problem }: TenderProps) {
  return (
    <fieldset className="order-radios">
      <legend className="label">{legend}</legend>
      <label className="admin-check">
        <input type="radio" name={name} value="cash" defaultChecked />
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
