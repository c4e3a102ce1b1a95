import { text } from "../../lib/form";
import type { CompanySettingsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { SettingsLayout } from "./settings-layout";
import { ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/company";
const FIELDS = [
  ["name", "Name"],
  ["email", "Email"],
  ["phone", "Phone"],
  ["address", "Store address"],
  ["legal_line", "License line in the footer of every page"],
] as const;

export default function CompanyPage({ version, texts, defaults, place }: Props) {
  const change = useChange({ version, content: texts });
  function save(data: FormData): void {
    const entries = FIELDS.map(([name]) => [name, text(data, name)]);
    const body = { version: change.version, texts: Object.fromEntries(entries) };
    void change.send(
      () => staffCall(`/api${PATH}`, { method: "PUT", body }),
      "Company details saved.",
    );
  }
  return (
    <SettingsLayout path={PATH} title="Company">
      <p className="settings-lead">
        Shown on pages, in emails, and in legal texts. Blank fields use the server’s own settings.
      </p>
      <form
        method="post"
        ref={change.form}
        className="admin-form settings-narrow"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save(new FormData(event.currentTarget));
        }}
      >
        <ChangeErrors change={change} fields={FIELDS.map(([name]) => name)} />
        {FIELDS.map(([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            defaultValue={texts[name]}
            placeholder={defaults[name]}
            autoComplete="off"
            problem={change.about(name)}
          />
        ))}
        <p className="field-hint">
          {`Set in the server configuration, because taxes and age checks depend on it: ${place}. The sender name on emails is the company’s name, unless SHOP_MAIL_FROM has one.`}
        </p>
        <div className="settings-save">
          <Button type="submit" aria-disabled={change.busy}>
            Save company
          </Button>
        </div>
      </form>
    </SettingsLayout>
  );
}

CompanyPage.Layout = AdminLayout;
