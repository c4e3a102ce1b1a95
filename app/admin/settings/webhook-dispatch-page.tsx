import { type ReactNode, useEffect } from "react";
import { ApiError } from "../../lib/api";
import { formatTime } from "../../lib/format";
import { navigate, refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { DispatchAttempt, WebhookDispatchPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { WEBHOOKS_PATH } from "./webhook-form";
import { DispatchTag } from "./webhook-parts";

const POLL_MS = 1_500;
/** Enough to cover a receiver's 10 s limit; after that the attempt has failed. */
const MAX_POLLS = 10;

export default function WebhookDispatchPage(props: Props) {
  const { dispatch, endpoint_is_enabled, body, attempts } = props;
  useOutcome(dispatch.id, dispatch.status === "waiting" && dispatch.attempts === 0);
  return (
    <>
      <PageHeader
        title={`${dispatch.kind} ${dispatch.subject}`}
        links={[
          { label: "Webhooks", href: WEBHOOKS_PATH },
          { label: "Log", href: `${WEBHOOKS_PATH}/log` },
        ]}
        note={<DispatchTag dispatch={dispatch} />}
      >
        <Button onClick={() => void resend(dispatch.id)} disabled={!endpoint_is_enabled}>
          Resend
        </Button>
      </PageHeader>
      <div className="webhook">
        <section className="panel" aria-labelledby="sent">
          <h2 id="sent">Request</h2>
          <Facts {...props} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
          <section className="webhook-body" aria-label="Body" tabIndex={0}>
            <pre className="webhook-text">{body}</pre>
          </section>
        </section>
        <section className="panel" aria-labelledby="tries">
          <h2 id="tries">Attempts</h2>
          {attempts.length === 0 && <p>{dispatch.last_error ?? "No attempts yet."}</p>}
          <ol className="webhook-attempts">
            {attempts.map((attempt) => (
              <li key={attempt.number}>
                <Attempt attempt={attempt} />
              </li>
            ))}
          </ol>
        </section>
      </div>
    </>
  );
}

WebhookDispatchPage.Layout = AdminLayout;

/** Refreshes the page until the first attempt has an outcome, for a limited time. */
function useOutcome(id: string, isOpen: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another dispatch restarts the polling.
  useEffect(() => {
    if (!isOpen) return;
    let remaining = MAX_POLLS;
    const timer = setInterval(() => {
      if (remaining-- > 0) void refresh();
      else clearInterval(timer);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [id, isOpen]);
}

async function resend(id: string): Promise<void> {
  try {
    const sent = await staffCall(`/api${WEBHOOKS_PATH}/log/${id}/again`, { method: "POST" });
    await navigate(`${WEBHOOKS_PATH}/log/${sent.id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    addToast({ severity: "error", summary: error.message });
  }
}

function Facts({ dispatch, endpoint_href, subject_href, webhook_id, next_at }: Props) {
  const { endpoint, subject, at, by_hand } = dispatch;
  return (
    <dl className="facts">
      <Fact name="Endpoint">
        {endpoint_href ? <a href={endpoint_href}>{endpoint}</a> : "Deleted"}
      </Fact>
      <Fact name="About">{subject_href ? <a href={subject_href}>{subject}</a> : subject}</Fact>
      <Fact name="Written">
        <time dateTime={at}>{formatTime(at)}</time>
        {by_hand && ", manual"}
      </Fact>
      {next_at && (
        <Fact name="Next attempt">
          <time dateTime={next_at}>{formatTime(next_at)}</time>
        </Fact>
      )}
      <Fact name="webhook-id">
        <code>{webhook_id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Attempt({
  attempt: { number, at, duration, code, error, answer },
}: {
  attempt: DispatchAttempt;
}) {
  return (
    <>
      <p className="webhook-attempt">
        <b>{`${number}.`}</b>
        <span className="tag" data-tone={error ? "bad" : "good"}>
          {code ?? "No response"}
        </span>
        <time dateTime={at}>{formatTime(at)}</time>
        <small>{`${duration} ms`}</small>
      </p>
      {error && <p>{error}</p>}
      {answer && (
        <details>
          <summary>Response</summary>
          <pre className="webhook-text">{answer}</pre>
        </details>
      )}
    </>
  );
}
