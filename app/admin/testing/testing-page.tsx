import { useState } from "react";
import type { TestingPage as Props, Step } from "../../lib/types";
import { staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { CompliancePanel } from "./compliance-panel";
import { EmailPanel } from "./email-panel";
import { WebhooksPanel } from "./webhooks-panel";

export default function TestingPage(page: Props) {
  return (
    <>
      <PageHeader title="Testing" />
      <div className="testing">
        <SettingsPanel />
        <PaymentPanel payment={page.payment} />
        <EmailPanel page={page} />
        <CompliancePanel />
        <WebhooksPanel events={page.events} />
      </div>
    </>
  );
}

TestingPage.Layout = AdminLayout;

const RUN = { method: "POST", timeout: 30_000 } as const;

/** Runs a test on the server and holds its result. */
function useRun<T>(send: () => Promise<T>) {
  const [result, setResult] = useState<T | null>(null);
  const [busy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    try {
      setResult(await send());
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return { result: result, busy, run };
}

function SettingsPanel() {
  const { result, busy, run } = useRun(() => staffCall("/api/admin/testing/settings", RUN));
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <p>Checks that each configured outside service responds and accepts the credentials.</p>
      <button type="button" className="button button-quiet" aria-disabled={busy} onClick={run}>
        {busy ? "Checking…" : "Check all"}
      </button>
      <div aria-live="polite">
        {result && (
          <ul className="steps">
            {result.map(({ name, state, detail, milliseconds }) => (
              <Result
                key={name}
                name={`${name}, ${milliseconds} ms`}
                state={state}
                detail={detail}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const PAYMENT = {
  off: "Card payment is off.",
  sandbox:
    "Authorizes $1.00 on Square’s test card, captures it, and refunds it. No real money moves.",
  production:
    "This shop takes real payments, so the test is disabled. Use a shop with Square’s sandbox.",
};

function PaymentPanel({ payment }: { payment: Props["payment"] }) {
  const { result, busy, run } = useRun(() => staffCall("/api/admin/testing/payment", RUN));
  return (
    <section className="panel" aria-labelledby="payment">
      <h2 id="payment">Card payment</h2>
      <p>{PAYMENT[payment]}</p>
      {payment === "sandbox" && (
        <button type="button" className="button button-quiet" aria-disabled={busy} onClick={run}>
          {busy ? "Paying…" : "Pay and refund"}
        </button>
      )}
      <div aria-live="polite">
        {result && (
          <ul className="steps">
            {result.map((step) => (
              <Result key={step.name} {...step} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const STATES = {
  works: { tone: "good", label: "Works" },
  off: { tone: undefined, label: "Off" },
  fails: { tone: "bad", label: "Fails" },
} as const;

function Result({ name, state, detail }: Step) {
  const { tone, label } = STATES[state];
  return (
    <li>
      <span className="tag" data-tone={tone}>
        {label}
      </span>
      <p>
        {name}
        <small>{detail}</small>
      </p>
    </li>
  );
}
