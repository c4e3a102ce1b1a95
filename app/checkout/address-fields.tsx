import { memo } from "react";
import type { StateView } from "../lib/types";
import { Field, Labeled } from "../ui/field";
import type { Form } from "./form-state";

export interface FieldsProps {
  form: Form;
  about: (field: string) => string | undefined;
  change: (part: Partial<Form>) => void;
  /** Whether this is the first rendering of a form that was posted without scripts, and that the server has refused. */
  refused: boolean;
}

interface Props extends FieldsProps {
  states: StateView[];
}

type Name = Exclude<keyof Form, "delivery" | "method" | "payment">;

/** Props of a field, with the name that the server uses in its errors. */
export function useText({ form, about, change, refused }: FieldsProps, prefix = "address.") {
  return (name: Name) => {
    const problem = about(prefix + name);
    return {
      name: prefix + name,
      value: form[name],
      problem,
      // Of several the browser takes the first.
      autoFocus: refused && problem !== undefined,
      onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
    };
  };
}

export function NameFields(props: FieldsProps) {
  const text = useText(props);
  return (
    <>
      <Field
        {...text("first_name")}
        label="First name"
        autoComplete="shipping given-name"
        required
      />
      <Field
        {...text("last_name")}
        label="Last name"
        autoComplete="shipping family-name"
        required
      />
    </>
  );
}

/** Never changes, so typing elsewhere in the form does not render it again. */
const StateOptions = memo(({ states }: Pick<Props, "states">) => (
  <>
    <option value="">Choose</option>
    {states.map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </>
));

export function AddressFields(props: Props) {
  const text = useText(props);
  const { problem, ...state } = text("state");
  return (
    <div className="checkout-fields">
      <NameFields {...props} />
      <div className="wide">
        <Field
          {...text("line1")}
          label="Street address"
          autoComplete="shipping address-line1"
          required
        />
      </div>
      <Field
        {...text("line2")}
        label="Apartment, suite, etc. (optional)"
        autoComplete="shipping address-line2"
      />
      <Field {...text("company")} label="Company (optional)" autoComplete="shipping organization" />
      <Field {...text("city")} label="City" autoComplete="shipping address-level2" required />
      <div className="checkout-pair">
        <Labeled label="State" problem={problem}>
          {(control) => (
            <select
              {...state}
              {...control}
              className="input"
              autoComplete="shipping address-level1"
              required
            >
              <StateOptions states={props.states} />
            </select>
          )}
        </Labeled>
        <Field
          {...text("postal_code")}
          label="ZIP code"
          inputMode="numeric"
          autoComplete="shipping postal-code"
          required
        />
      </div>
    </div>
  );
}
