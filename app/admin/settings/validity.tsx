import { useState } from "react";
import { formatDate } from "../../lib/format";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Dialog } from "../parts/dialog";
import { ChangeErrors, useChange } from "./use-change";

/** A rule or rate with a period of validity. */
export interface Dated {
  id: string;
  valid_from: string;
  valid_until: string | null;
  phase: "past" | "in_force" | "coming";
}

const PHASES = {
  in_force: ["Current", "good"],
  coming: ["Scheduled", "info"],
  past: ["Ended", undefined],
} as const;

export function Validity({ valid_from, valid_until, phase }: Omit<Dated, "id">) {
  const [label, tone] = PHASES[phase];
  return (
    <>
      <span className="tag" data-tone={tone}>
        {label}
      </span>
      <small>
        {valid_until === valid_from
          ? `corrected on ${formatDate(valid_from)}`
          : `from ${formatDate(valid_from)}${valid_until ? ` through ${formatDate(dayBefore(valid_until))}` : ""}`}
      </small>
    </>
  );
}

/** The last day of what ends before a day. */
function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

interface Props {
  row: Dated;
  /** Accessible name of the rule or rate, such as `the rule for …`. */
  name: string;
  /** The version of the settings that the page has. */
  version: number;
  /** The calls that end it on a day, or withdraw it, with the version that the input is based on. */
  end: (version: number, valid_until: string) => Promise<unknown>;
  withdraw: (version: number) => Promise<unknown>;
  today: string;
  /** The consequences of ending it. */
  warning: string;
}

/** A button that ends a current rule or rate, or withdraws a scheduled one. */
export function EndOrWithdraw(props: Props) {
  const [open, setOpen] = useState(false);
  const { row, name } = props;
  if (row.phase === "past") return null;
  const act = row.phase === "coming" ? "Withdraw" : "End";
  return (
    <>
      <button
        type="button"
        className="link"
        aria-label={`${act} ${name}`}
        onClick={() => setOpen(true)}
      >
        {act}
      </button>
      <Dialog title={`${act} ${name}`} open={open} onClose={() => setOpen(false)}>
        <EndForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function EndForm({
  row,
  version,
  end,
  withdraw,
  today,
  warning,
  onDone,
}: Props & { onDone: () => void }) {
  const change = useChange({ version, content: row });
  const isScheduled = row.phase === "coming";
  async function send(day: string): Promise<void> {
    const call = () => (isScheduled ? withdraw(change.version) : end(change.version, day));
    if (await change.send(call, isScheduled ? "Withdrawn." : "Ended.")) onDone();
  }
  return (
    <form
      method="post"
      ref={change.form}
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(String(new FormData(event.currentTarget).get("valid_until") ?? ""));
      }}
    >
      <ChangeErrors change={change} fields={["valid_until"]} />
      <p>
        {isScheduled ? "What it replaces stays in effect, unless that ends by itself." : warning}
      </p>
      {!isScheduled && (
        <Field
          name="valid_until"
          type="date"
          label="Ends before"
          min={today}
          defaultValue={today}
          required
          problem={change.about("valid_until")}
        />
      )}
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          {isScheduled ? "Withdraw" : "End"}
        </Button>
      </div>
    </form>
  );
}

/** The fields that every rule and rate has: first day, end, and source. */
export function ValidityFields({
  today,
  replaced = {},
  about,
}: {
  today: string;
  /** What it replaces, with the day on which that would end by itself. */
  replaced?: Partial<Dated & { own_end: string | null }>;
  about: (field: string) => string | undefined;
}) {
  return (
    <>
      <div className="settings-row">
        <Field
          name="valid_from"
          type="date"
          label="First day"
          min={today}
          defaultValue={replaced.phase === "coming" ? replaced.valid_from : today}
          required
          problem={about("valid_from")}
        />
        <Field
          name="valid_until"
          type="date"
          label="Ends before"
          hint="Leave blank to keep it until it’s replaced. What is to apply from that day on has to be added first."
          defaultValue={replaced.own_end ?? ""}
          problem={about("valid_until")}
        />
      </div>
      <Field
        name="source"
        label="Source"
        hint="The law, notice, or web page it comes from."
        required
        maxLength={300}
        problem={about("source")}
      />
    </>
  );
}
