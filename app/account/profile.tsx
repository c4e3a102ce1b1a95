import { call } from "../lib/api";
import { text } from "../lib/form";
import type { AccountPage } from "../lib/types";
import { useSave } from "../lib/use-save";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { StateField } from "../ui/state-field";
import { AccountForm, firstInvalid, refusalOf } from "./form";

/** Null if it is what the page showed: another tab may have changed it since. */
function changed(data: FormData, field: string): string | null {
  const value = text(data, field);
  return value === text(data, `former_${field}`) ? null : value;
}

export function Profile(props: AccountPage) {
  const { me, account_url } = props;
  const refused = refusalOf(props, "save_profile");
  const first = firstInvalid(refused, ["name", "phone"]);
  const { save, busy, about } = useSave(
    (data) =>
      call("/api/me", {
        method: "PATCH",
        body: {
          name: changed(data, "name"),
          phone: changed(data, "phone"),
          user_id: text(data, "user_id"),
        },
      }),
    { summary: "Profile saved." },
    refused?.errors,
  );
  return (
    <AccountForm className="account-form" onSubmit={save}>
      {/* The key remounts only the field when the server has normalized its value. */}
      <Field
        key={`name ${me.name}`}
        name="name"
        label="Name"
        autoComplete="name"
        defaultValue={refused?.typed.name ?? me.name}
        autoFocus={first === "name"}
        problem={about("name")}
      />
      <Field
        key={`phone ${me.phone}`}
        name="phone"
        label="Phone"
        type="tel"
        autoComplete="tel"
        defaultValue={refused?.typed.phone ?? me.phone}
        autoFocus={first === "phone"}
        problem={about("phone")}
      />
      <input type="hidden" name="former_name" value={refused?.typed.former_name ?? me.name} />
      <input type="hidden" name="former_phone" value={refused?.typed.former_phone ?? me.phone} />
      <p className="field-hint">
        {`You sign in with ${me.email || "an account without an email"}. `}
        {account_url ? (
          <>
            Change it, your password, or connected accounts in{" "}
            <a href={account_url}>your sign-in account</a>.
          </>
        ) : (
          "You can change it where you sign in."
        )}
      </p>
      <Button type="submit" name="do" value="save_profile" aria-disabled={busy}>
        Save profile
      </Button>
    </AccountForm>
  );
}

export function Preferences(props: AccountPage) {
  const { preferred_state } = props.me.preferences;
  const refused = refusalOf(props, "save_preferences");
  const { save, busy, about } = useSave(
    (data) =>
      call("/api/me/preferences", {
        method: "PATCH",
        body: {
          preferred_state: text(data, "preferred_state"),
          user_id: text(data, "user_id"),
        },
      }),
    { summary: "Preferences saved." },
    refused?.errors,
  );
  return (
    <AccountForm className="account-form" onSubmit={save}>
      <StateField
        key={preferred_state}
        name="preferred_state"
        label="State you order to"
        defaultValue={refused?.typed.preferred_state ?? preferred_state ?? ""}
        autoFocus={refused !== null}
        problem={about("preferred_state")}
      />
      <Button type="submit" name="do" value="save_preferences" aria-disabled={busy}>
        Save preferences
      </Button>
    </AccountForm>
  );
}
