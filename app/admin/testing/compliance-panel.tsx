import { useState } from "react";
import { ApiError } from "../../lib/api";
import { text } from "../../lib/form";
import type { Verdict, Way } from "../../lib/types";
import { Field } from "../../ui/field";
import { StateField } from "../../ui/state-field";
import { staffCall } from "../call";
import { useBusy } from "../parts/use-busy";

/** Checks items and a state against the current compliance rules. */
export function CompliancePanel() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, run] = useBusy();

  async function check(data: FormData): Promise<void> {
    const skus = text(data, "skus")
      .split(/[\s,]+/)
      .filter(Boolean);
    try {
      const body = { state: text(data, "state"), skus };
      setVerdict(await staffCall("/api/admin/testing/compliance", { method: "POST", body }));
      setError(null);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setVerdict(null);
      setError(cause);
    }
  }
  return (
    <section className="panel" aria-labelledby="compliance">
      <h2 id="compliance">Compliance rules</h2>
      <form
        method="post"
        className="admin-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          run(() => check(data));
        }}
      >
        <Field
          name="skus"
          label="SKUs"
          hint="Separate SKUs with spaces or commas"
          autoComplete="off"
          problem={error?.about("skus")}
        />
        <StateField name="state" label="Ship-to state" problem={error?.about("state")} />
        <div>
          <button type="submit" className="button button-quiet" aria-disabled={busy}>
            Check rules
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {error && !error.about("skus") && !error.about("state") && (
          <p className="field-error">{error.message}</p>
        )}
        {verdict && (
          <>
            <ul className="steps">
              <Decision name="Ship" way={verdict.ship} />
              <Decision name="Pick up" way={verdict.pickup} />
            </ul>
            <p>
              {verdict.items.map(({ sku, title, class: name }) => (
                <small key={sku}>{`${sku}: ${title} (${name.replaceAll("_", " ")})`}</small>
              ))}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function Decision({ name, way }: { name: string; way: Way }) {
  const terms = [
    way.adult_signature && "adult signature",
    way.ground_only && "ground only",
    way.may_pay_online ? "can be paid for online" : "paid at pickup",
  ].filter((term) => term !== false);
  return (
    <li>
      <span className="tag" data-tone={way.is_allowed ? "good" : "bad"}>
        {way.is_allowed ? "Allowed" : "Not allowed"}
      </span>
      <p>
        {way.is_allowed ? `${name}: ${terms.join(", ")}` : `${name}: ${way.refusals.join(" ")}`}
        {way.sources.map((source) => (
          <small key={source}>{source}</small>
        ))}
      </p>
    </li>
  );
}
