import { call } from "../lib/api";
import type { Me } from "../lib/types";
import { useSave } from "../lib/use-save";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { StateField } from "../ui/state-field";

export function Profile({ me }: { me: Me }) {
  const { save, busy, about } = useSave(
    (data) =>
      call("/api/me", {
        method: "PATCH",
        body: { name: data.get("name"), phone: data.get("phone") },
      }),
    { summary: "Your profile is saved." },
  );
  return (
    <form className="account-form" noValidate onSubmit={save}>
      <Field
        name="name"
        label="Name"
        autoComplete="name"
        defaultValue={me.name}
        problem={about("name")}
      />
      <Field
        name="phone"
        label="Phone"
        type="tel"
        autoComplete="tel"
        defaultValue={me.phone}
        problem={about("phone")}
      />
      <p className="field-hint">
        {me.email} is your address at the identity provider, where you can change it.
      </p>
      <Button type="submit" disabled={busy}>
        Save profile
      </Button>
    </form>
  );
}

export function Preferences({ me }: { me: Me }) {
  const { marketing_emails, preferred_state } = me.preferences;
  const { save, busy, about } = useSave(
    (data) =>
      call("/api/me/preferences", {
        method: "PATCH",
        body: {
          marketing_emails: data.get("marketing_emails") === "on",
          preferred_state: data.get("preferred_state"),
        },
      }),
    { summary: "Your preferences are saved." },
  );
  return (
    <form className="account-form" noValidate onSubmit={save}>
      <StateField
        name="preferred_state"
        label="State that you order to"
        defaultValue={preferred_state ?? ""}
        problem={about("preferred_state")}
      />
      <label className="account-check">
        <input type="checkbox" name="marketing_emails" defaultChecked={marketing_emails} />
        News of the shop by mail. Mail about your orders comes anyway.
      </label>
      <Button type="submit" disabled={busy}>
        Save preferences
      </Button>
    </form>
  );
}
