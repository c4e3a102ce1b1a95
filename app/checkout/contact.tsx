import { useShared } from "../lib/shared";
import { Field } from "../ui/field";
import type { Form } from "./form-state";
import { Section } from "./section";

interface Props {
  form: Form;
  busy: boolean;
  about: (field: string) => string | undefined;
  change: (part: Partial<Form>) => void;
  /** This page's address. */
  here: string;
}

export function Contact({ form, busy, about, change, here }: Props) {
  const { user, sign_in_href } = useShared();
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
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={form.email}
          onChange={({ target }) => change({ email: target.value })}
          problem={about("email")}
          hint="For your order confirmation and receipt."
        />
        <Field
          name="phone"
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          value={form.phone}
          onChange={({ target }) => change({ phone: target.value })}
          problem={about("phone")}
          hint="In case we have a question about your order."
        />
      </div>
    </Section>
  );
}
