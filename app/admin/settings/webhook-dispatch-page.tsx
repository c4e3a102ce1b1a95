import { type ReactNode, useEffect, useRef } from "react";
import { formatTime } from "../../lib/format";
import { refresh } from "../../lib/navigation";
import type { DispatchAttempt, WebhookDispatchPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { useBusy } from "../parts/use-busy";
import { sendEvent } from "./send-event";
import { WEBHOOKS_PATH } from "./webhook-form";
import { DispatchTag } from "./webhook-parts";

const POLL_MS = 1_500;
/** Enough to cover a receiver's 10 s limit; after that the attempt has failed. */
const MAX_POLLS = 10;

/** The key resets the state for another dispatch, such as one that was just sent. */
export default function WebhookDispatchPage(props: Props) {
  return <Dispatch key={props.dispatch.id} {...props} />;
}

WebhookDispatchPage.Layout = AdminLayout;

function Dispatch(props: Props) {
  const { dispatch, endpoint_is_enabled, body, attempts } = props;
  const page = useRef<HTMLDivElement>(null);
  const [busy, run] = useBusy();
  useOutcome(dispatch.status === "waiting" && dispatch.attempts === 0);
  const resend = () =>
    staffCall(`/api${WEBHOOKS_PATH}/log/${dispatch.id}/again`, { method: "POST" });
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
        <Button
          onClick={() => run(() => sendEvent(resend, page, "Event resent."))}
          disabled={!endpoint_is_enabled}
          aria-disabled={busy}
        >
          Resend
        </Button>
      </PageHeader>
      <div ref={page} className="webhook">
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

/** Refreshes the page until the first attempt has an outcome, for a limited time. */
function useOutcome(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    let remaining = MAX_POLLS;
    const timer = setInterval(() => {
      if (remaining-- > 0) void refresh();
      else clearInterval(timer);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
}

function Facts({ dispatch, endpoint_href, subject_href, webhook_id, next_at }: Props) {
  const { endpoint, subject, at, by_hand } = dispatch;
  return (
    <dl className="facts">
      <Fact name="Endpoint">
        {endpoint_href ? <a href={endpoint_href}>{endpoint}</a> : "Deleted"}
      </Fact>
      <Fact name="About">{subject_href ? <a href={subject_href}>{subject}</a> : subject}</Fact>
      <Fact name="Created">
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
