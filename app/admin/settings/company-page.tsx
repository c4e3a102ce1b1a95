import type { CompanySettingsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { SettingsPart, Trouble, useChange } from "./parts";

const PATH = "/admin/settings/company";
const FIELDS = [
  ["name", "Name"],
  ["email", "Mail address"],
  ["phone", "Phone"],
  ["address", "Address of the store"],
  ["legal_line", "Line with the licence, under every page"],
] as const;

export default function CompanyPage({ version, texts, defaults, place }: Props) {
  const change = useChange();
  function save(data: FormData): void {
    const said = FIELDS.map(([name]) => [name, String(data.get(name) ?? "")]);
    const body = { version, texts: Object.fromEntries(said) };
    void change.send(
      () => staffCall(`/api${PATH}`, { method: "PUT", body }),
      "Every page says it from now on.",
    );
  }
  return (
    <SettingsPart path={PATH} title="Company">
      <p className="settings-lead">
        What pages, letters and legal texts say of the shop. An empty field says what the server was
        started with.
      </p>
      <form
        className="admin-form settings-narrow"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save(new FormData(event.currentTarget));
        }}
      >
        <Trouble change={change} fields={FIELDS.map(([name]) => name)} />
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
          {`Set with the server only, since taxes and ages are counted by it: ${place}. The sender's name of letters follows at the next start.`}
        </p>
        <div className="settings-save">
          <Button type="submit" disabled={change.busy}>
            Save company
          </Button>
        </div>
      </form>
    </SettingsPart>
  );
}

CompanyPage.Layout = AdminLayout;
