import { useShared } from "../lib/shared";
import { Field } from "../ui/field";
import { type FieldsProps, useText } from "./address-fields";
import { Section } from "./section";

interface Props extends FieldsProps {
  busy: boolean;
  /** This page's address. */
  here: string;
}

export function Contact(props: Props) {
  const { busy, here } = props;
  const { user, sign_in_href } = useShared();
  const text = useText(props, "");
  return (
    <Section id="reach" title="Contact information" busy={busy}>
      {!user && sign_in_href && (
        <p className="field-hint">
          Have an account? <a href={`/auth/login?return_to=${encodeURIComponent(here)}`}>Sign in</a>{" "}
          to use your saved addresses, or check out as a guest.
        </p>
      )}
      <div className="checkout-fields">
        <Field
          {...text("email")}
          label="Email"
          type="email"
          autoComplete="email"
          required
          hint="For your order confirmation and updates."
        />
        <Field
          {...text("phone")}
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          hint="For questions about your order."
        />
      </div>
    </Section>
  );
}
