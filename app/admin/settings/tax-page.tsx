import { useRef, useState } from "react";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { CountiesReport, TaxSettingsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { StateField } from "../../ui/state-field";
import { isConflict, staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { countOf } from "../parts/list";
import { ScrollArea } from "../parts/scroll-area";
import { trimmed } from "../parts/trimmed";
import { useUnsavedGuard } from "../parts/unsaved";
import { decimal, percentOf } from "./decimals";
import { SettingsLayout } from "./settings-layout";
import { ChangeErrors, useChange } from "./use-change";
import { EndOrWithdraw, Validity, ValidityFields } from "./validity";

const PATH = "/admin/settings/tax";

export default function TaxPage({
  version,
  today,
  home_state,
  home_county,
  rates,
  counties,
}: Props) {
  const [adding, setAdding] = useState(false);
  return (
    <SettingsLayout
      path={PATH}
      title="Tax"
      actions={<Button onClick={() => setAdding(true)}>New rate</Button>}
    >
      <p className="settings-lead">
        {`Sales in ${home_state} are taxed at the store’s location, ${home_county}. Elsewhere, tax depends on the customer’s address, if you’ve entered rates for that state. Other states aren’t taxed.`}
      </p>
      <ScrollArea label="Rates">
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">Location</th>
              <th scope="col" className="is-number">
                Rate
              </th>
              <th scope="col">Shipping</th>
              <th scope="col">Valid</th>
              <th scope="col">Source</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {rates.map((rate) => {
              const place = rate.county ? `${rate.county}, ${rate.state}` : rate.state;
              return (
                <tr key={rate.id} data-phase={rate.phase}>
                  <td>{place}</td>
                  <td className="is-number">{`${decimal(rate.rate, 4).replace(/0{1,2}$/, "")}%`}</td>
                  <td>{rate.taxes_shipping ? "Taxed" : "Not taxed"}</td>
                  <td>
                    <Validity {...rate} />
                  </td>
                  <td className="settings-source">{rate.source}</td>
                  <td>
                    <EndOrWithdraw
                      row={rate}
                      name={`the rate for ${place}`}
                      version={version}
                      end={(version, valid_until) =>
                        staffCall(`/api${PATH}/rates/${rate.id}/end`, {
                          method: "POST",
                          body: { version, valid_until },
                        })
                      }
                      withdraw={(version) =>
                        staffCall(`/api${PATH}/rates/${rate.id}/withdraw`, {
                          method: "POST",
                          body: { version },
                        })
                      }
                      today={today}
                      warning="From that day on, this tax is no longer collected. To change a rate, just add the new one. This one then ends automatically."
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollArea>
      <Counties version={version} counties={counties} />
      <Dialog title="New tax rate" open={adding} onClose={() => setAdding(false)}>
        <RateForm version={version} rates={rates} today={today} onDone={() => setAdding(false)} />
      </Dialog>
    </SettingsLayout>
  );
}

TaxPage.Layout = AdminLayout;

interface FormProps extends Pick<Props, "version" | "rates" | "today"> {
  onDone: () => void;
}

function RateForm(props: FormProps) {
  const change = useChange({ version: props.version, content: props.rates });
  async function save(data: FormData): Promise<void> {
    const body = {
      version: change.version,
      state: trimmed(data, "state"),
      county: trimmed(data, "county"),
      rate: percentOf(trimmed(data, "rate"), 4),
      taxes_shipping: data.get("taxes_shipping") === "on",
      valid_from: trimmed(data, "valid_from"),
      valid_until: trimmed(data, "valid_until") || null,
      source: trimmed(data, "source"),
    };
    const call = () => staffCall(`/api${PATH}/rates`, { method: "POST", body });
    if (await change.send(call, "Rate saved.")) props.onDone();
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
      <ChangeErrors
        change={change}
        fields={["state", "county", "rate", "valid_from", "valid_until", "source"]}
      />
      <p>The current rate for the same location ends on this one’s first day.</p>
      <div className="settings-row">
        <StateField name="state" label="State" required problem={change.about("state")} />
        <Field
          name="county"
          label="County"
          hint="Leave blank for the whole state."
          problem={change.about("county")}
        />
        <Field
          name="rate"
          label="Percent"
          inputMode="decimal"
          required
          problem={change.about("rate")}
        />
      </div>
      <label className="admin-check">
        <input type="checkbox" name="taxes_shipping" defaultChecked />
        Shipping is taxed
      </label>
      <ValidityFields today={props.today} about={change.about} />
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          Save rate
        </Button>
      </div>
    </form>
  );
}

/** Uploads a file of ZIP codes and their counties; it is checked before it can be saved. */
function Counties({ version, counties }: Pick<Props, "version" | "counties">) {
  const [csv, setCsv] = useState("");
  /** With the version of what the file was checked against. */
  const [report, setReport] = useState<(CountiesReport & { version: number }) | null>(null);
  /** How often the text was changed: a late answer is about what it said before. */
  const edits = useRef(0);
  useUnsavedGuard(csv.trim() !== "");
  const [busy, setBusy] = useState(false);
  async function send(dry_run: boolean): Promise<void> {
    const sent = edits.current;
    setBusy(true);
    try {
      const body = { version: dry_run ? version : (report?.version ?? version), csv, dry_run };
      const path = `/api${PATH}/counties`;
      const answer = await staffCall(path, { method: "POST", body });
      if (edits.current === sent) setReport({ ...answer, version: body.version });
      if (!dry_run && answer.problems.length === 0) {
        await refresh();
        if (edits.current === sent) change("");
        addToast({ severity: "success", summary: "Counties saved.", life: 5_000 });
      }
    } catch (error) {
      tellFailure(error);
      if (isConflict(error)) {
        // It has to be checked against what is there now.
        setReport(null);
        await refresh();
      }
    } finally {
      setBusy(false);
    }
  }
  const change = (text: string) => {
    edits.current += 1;
    setCsv(text);
    setReport(null);
  };
  return (
    <section className="panel settings-counties">
      <h2>Counties by ZIP code</h2>
      <p>
        {counties.length === 0
          ? "No counties yet. You need them in states that tax by the customer’s county."
          : counties
              .map(({ state, zip_codes }) => `${state}: ${countOf(zip_codes, "ZIP code")}`)
              .join(", ")}
      </p>
      <Labeled
        label="One line each: state, ZIP code, county"
        hint="A file replaces everything on record for its state. Upload one state at a time."
        problem={undefined}
      >
        {(control) => (
          <textarea
            className="input settings-text"
            spellCheck={false}
            placeholder="NY,10001,New York"
            value={csv}
            onChange={(event) => change(event.currentTarget.value)}
            {...control}
          />
        )}
      </Labeled>
      <p>
        <label className="button button-quiet">
          Choose county file
          <input
            type="file"
            className="visually-hidden"
            accept=".csv,text/csv"
            onChange={({ target }) => {
              void target.files?.[0]?.text().then(change);
              // So that the same file can be chosen again after it was corrected.
              target.value = "";
            }}
          />
        </label>
      </p>
      {report && (
        <div role="status">
          <p>
            {`${report.states.join(", ") || "No state"}: ${report.added} new, ${report.changed} changed, ${report.removed} removed, ${report.problems.length} with errors.`}
          </p>
          {report.idle_rates.length > 0 && (
            <p>{`These rates would apply to no sale, because the file has no ZIP code there: ${report.idle_rates.join("; ")}.`}</p>
          )}
          <ul className="settings-problems">
            {report.problems.slice(0, 20).map(({ line, message }) => (
              <li key={line}>{`Line ${line}: ${message}`}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="admin-acts">
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={busy || csv.trim() === ""}
          onClick={() => void send(true)}
        >
          Check file
        </button>
        <Button
          aria-disabled={busy || !report || report.problems.length > 0}
          onClick={() => void send(false)}
        >
          Save counties
        </Button>
      </p>
    </section>
  );
}
