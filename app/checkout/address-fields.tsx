import { type ComponentProps, memo } from "react";
import type { StateView } from "../lib/types";
import { Field, Labeled } from "../ui/field";
import type { Form } from "./form-state";

interface NameProps {
  form: Form;
  about: (field: string) => string | undefined;
  change: (part: Partial<Form>) => void;
}

interface Props extends NameProps {
  states: StateView[];
}

type Name = "first_name" | "last_name" | "company" | "line1" | "line2" | "city" | "postal_code";

/** Props of a text field, with the name that the server uses in its errors. */
function useText({ form, about, change }: NameProps) {
  return (
    name: Name,
  ): Pick<ComponentProps<typeof Field>, "name" | "value" | "problem" | "onChange"> => ({
    name: `address.${name}`,
    value: form[name],
    problem: about(`address.${name}`),
    onChange: ({ target }) => change({ [name]: target.value }),
  });
}

export function NameFields(props: NameProps) {
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
  const { form, states, about, change } = props;
  const text = useText(props);
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
        <Labeled label="State" problem={about("address.state")}>
          {(control) => (
            <select
              {...control}
              className="input"
              name="address.state"
              autoComplete="shipping address-level1"
              required
              value={form.state}
              onChange={({ target }) => change({ state: target.value })}
            >
              <StateOptions states={states} />
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
