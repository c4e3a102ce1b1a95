import { useShared } from "../lib/shared";
import { Field } from "../ui/field";
import type { Form } from "./form-state";
import { Section } from "./section";

interface Props {
  form: Form;
  busy: boolean;
  about: (field: string) => string | undefined;
  change: (part: Partial<Form>) => void;
}

export function Contact({ form, busy, about, change }: Props) {
  const { user, sign_in } = useShared();
  return (
    <Section id="reach" title="How to reach you" busy={busy}>
      {!user && sign_in && (
        <p className="field-hint">
          Have an account? <a href={`/auth/login?return_to=${here()}`}>Sign in</a> to use your
          addresses. You can also order as a guest.
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
          hint="For the confirmation and the receipt."
        />
        <Field
          name="phone"
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          value={form.phone}
          onChange={({ target }) => change({ phone: target.value })}
          problem={about("phone")}
          hint="Only if something is unclear."
        />
      </div>
    </Section>
  );
}

/** This page, which is never written on the server. */
const here = () => encodeURIComponent(location.pathname + location.search);
