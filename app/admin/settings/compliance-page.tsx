import { useState } from "react";
import { STATES } from "../../lib/states";
import type { ComplianceSettingsPage as Props, RuleView } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { StateField } from "../../ui/state-field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { capital } from "../parts/capital";
import { centsOrInvalid, fromCents } from "../parts/cents";
import { Dialog } from "../parts/dialog";
import { countOf } from "../parts/list";
import { ScrollArea } from "../parts/scroll-area";
import { trimmed } from "../parts/trimmed";
import { decimal, percentOf } from "./decimals";
import { SettingsLayout } from "./settings-layout";
import { ChangeErrors, useChange } from "./use-change";
import { EndOrWithdraw, Validity, ValidityFields } from "./validity";

const PATH = "/admin/settings/compliance";
const ALL = "*";
const stateName = (code: string) =>
  code === ALL ? "All other states" : (STATES.find(([each]) => each === code)?.[1] ?? code);

export default function CompliancePage({ version, today, classes, rules }: Props) {
  const [adding, setAdding] = useState<Partial<RuleView> | null>(null);
  return (
    <SettingsLayout
      path={PATH}
      title="Compliance"
      actions={<Button onClick={() => setAdding({})}>New rule</Button>}
    >
      <p className="settings-lead">
        Nothing is sold unless a rule allows it. A state’s own rule overrides the rule for all other
        states. Rules that have been in force are never edited: end one and add another.
      </p>
      {classes.map(({ code, name, products }) => {
        const own = rules.filter((rule) => rule.class === code);
        return (
          <section key={code} className="settings-class" aria-labelledby={`class-${code}`}>
            <h2 id={`class-${code}`}>{name}</h2>
            <p className="field-hint">{countOf(products, "active product")}</p>
            <ScrollArea label={`Rules for ${name}`}>
              <table className="admin-list">
                <thead>
                  <tr>
                    <th scope="col">State</th>
                    <th scope="col">Valid</th>
                    <th scope="col">Can be</th>
                    <th scope="col">With</th>
                    <th scope="col">Source</th>
                    <th scope="col">Change</th>
                  </tr>
                </thead>
                <tbody>
                  {own.map((rule) => (
                    <tr key={rule.id} data-phase={rule.phase}>
                      <td>{stateName(rule.state)}</td>
                      <td>
                        <Validity {...rule} />
                      </td>
                      <td>
                        {allowed(rule)}
                        {rule.reason && <small>{rule.reason}</small>}
                      </td>
                      <td>{conditions(rule)}</td>
                      <td className="settings-source">{rule.source}</td>
                      <td className="settings-acts">
                        {rule.phase !== "past" && (
                          <button
                            type="button"
                            className="link"
                            aria-label={`Replace the rule for ${name} in ${stateName(rule.state)}`}
                            onClick={() => setAdding(rule)}
                          >
                            Replace
                          </button>
                        )}
                        <EndOrWithdraw
                          row={rule}
                          name={`the rule for ${name} in ${stateName(rule.state)}`}
                          version={version}
                          end={(version, valid_until) =>
                            staffCall(`/api${PATH}/rules/${rule.id}/end`, {
                              method: "POST",
                              body: { version, valid_until },
                            })
                          }
                          withdraw={(version) =>
                            staffCall(`/api${PATH}/rules/${rule.id}/withdraw`, {
                              method: "POST",
                              body: { version },
                            })
                          }
                          today={today}
                          warning={`From that day on, ${rule.state === ALL ? "it can be sold only in states with their own rule" : "the rule for all other states applies there, if there is one"}. This affects ${countOf(products, "active product")}.`}
                        />
                      </td>
                    </tr>
                  ))}
                  {own.length === 0 && (
                    <tr>
                      <td colSpan={6}>No rules, so nothing in this class is sold.</td>
                    </tr>
                  )}
                </tbody>
              </table>
            </ScrollArea>
          </section>
        );
      })}
      <Dialog
        title={adding?.state ? `Replace rule: ${stateName(adding.state)}` : "New rule"}
        open={adding !== null}
        onClose={() => setAdding(null)}
      >
        <RuleForm
          version={version}
          today={today}
          classes={classes}
          rules={rules}
          initial={adding ?? {}}
          onDone={() => setAdding(null)}
        />
      </Dialog>
    </SettingsLayout>
  );
}

CompliancePage.Layout = AdminLayout;

function allowed({ may_ship, may_pick_up, may_pay_online }: RuleView): string {
  const ways = [may_ship && "shipped", may_pick_up && "picked up", may_pay_online && "paid online"];
  return capital(ways.filter(Boolean).join(", ")) || "Not sold";
}

function conditions({ adult_signature, ground_only, excise }: RuleView): string {
  const all = [adult_signature && "adult signature", ground_only && "ground only", taxed(excise)];
  return capital(all.filter(Boolean).join(", "));
}

function taxed({ name, ppm, per_unit }: RuleView["excise"]): string {
  const of = [
    ppm > 0 && `${decimal(ppm, 4).replace(/\.?0+$/, "")}%`,
    per_unit > 0 && `$${fromCents(per_unit)} each`,
  ];
  return name && `${name}: ${of.filter(Boolean).join(" and ")}`;
}

const CHECKS = [
  ["may_ship", "Can be shipped there"],
  ["may_pick_up", "Can be picked up in the store"],
  ["may_pay_online", "Can be paid online"],
  ["adult_signature", "Adult signature required"],
  ["ground_only", "Ground shipping only"],
] as const;
const TEXTS = ["class", "state", "reason", "source", "valid_from", "valid_until"].concat(
  ["name", "ppm", "per_unit"].map((name) => `excise.${name}`),
);

interface FormProps extends Pick<Props, "version" | "today" | "classes" | "rules"> {
  /** Initial values. */
  initial: Partial<RuleView>;
  onDone: () => void;
}

function RuleForm({ version, today, classes, rules, initial, onDone }: FormProps) {
  const change = useChange({ version, content: rules });
  const [chosen, setChosen] = useState(initial.class ?? classes[0]?.code ?? "");
  const affected = classes.find(({ code }) => code === chosen)?.products ?? 0;
  async function save(data: FormData): Promise<void> {
    const percent = trimmed(data, "excise_ppm");
    const perUnit = trimmed(data, "excise_per_unit");
    const on = (name: (typeof CHECKS)[number][0]) => data.get(name) === "on";
    const body = {
      version: change.version,
      class: chosen,
      state: trimmed(data, "state"),
      valid_from: trimmed(data, "valid_from"),
      valid_until: trimmed(data, "valid_until") || null,
      may_ship: on("may_ship"),
      may_pick_up: on("may_pick_up"),
      may_pay_online: on("may_pay_online"),
      adult_signature: on("adult_signature"),
      ground_only: on("ground_only"),
      reason: trimmed(data, "reason"),
      source: trimmed(data, "source"),
      excise: {
        name: trimmed(data, "excise_name"),
        ppm: percent ? percentOf(percent, 4) : 0,
        per_unit: perUnit ? centsOrInvalid(perUnit) : 0,
      },
    };
    const call = () => staffCall(`/api${PATH}/rules`, { method: "POST", body });
    if (await change.send(call, "Rule saved.")) onDone();
  }
  return (
    <form
      method="post"
      ref={change.form}
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <ChangeErrors change={change} fields={TEXTS} />
      <div className="settings-row">
        <Labeled label="Class" problem={change.about("class")}>
          {(control) => (
            <select
              className="input"
              value={chosen}
              onChange={(event) => setChosen(event.currentTarget.value)}
              {...control}
            >
              {classes.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Labeled>
        <StateField
          name="state"
          label="State"
          // It is not where the user lives.
          autoComplete={undefined}
          defaultValue={initial.state ?? ALL}
          problem={change.about("state")}
        >
          <option value={ALL}>{stateName(ALL)}</option>
        </StateField>
      </div>
      <p role="status">{`Applies to ${countOf(affected, "active product")}.`}</p>
      <div>
        {CHECKS.map(([name, label]) => (
          <label key={name} className="admin-check">
            <input type="checkbox" name={name} defaultChecked={initial[name] ?? false} />
            {label}
          </label>
        ))}
      </div>
      <Field
        name="reason"
        label="Message to shoppers"
        hint="Required where it can’t be shipped."
        maxLength={300}
        defaultValue={initial.reason ?? ""}
        problem={change.about("reason")}
      />
      <fieldset className="settings-excise">
        <legend>Excise tax, shown on its own line</legend>
        <div className="settings-row">
          <Field
            name="excise_name"
            label="Name shown to customers"
            maxLength={80}
            defaultValue={initial.excise?.name ?? ""}
            problem={change.about("excise.name")}
          />
          <Field
            name="excise_ppm"
            label="Percent of price"
            inputMode="decimal"
            defaultValue={initial.excise?.ppm ? decimal(initial.excise.ppm, 4) : ""}
            problem={change.about("excise.ppm")}
          />
          <Field
            name="excise_per_unit"
            label="Dollars per item"
            inputMode="decimal"
            defaultValue={initial.excise?.per_unit ? fromCents(initial.excise.per_unit) : ""}
            problem={change.about("excise.per_unit")}
          />
        </div>
      </fieldset>
      <ValidityFields today={today} replaced={initial} about={change.about} />
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          Save rule
        </Button>
      </div>
    </form>
  );
}
