import { type RefObject, useRef, useState } from "react";
import { formatTime } from "../../lib/format";
import { navigate, refresh } from "../../lib/navigation";
import type { DispatchEntry, EndpointView, WebhookPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { PageHeader } from "../parts/page-header";
import { ScrollArea } from "../parts/scroll-area";
import { useBusy } from "../parts/use-busy";
import { sendEvent } from "./send-event";
import { ChangeErrors, useChange } from "./use-change";
import { EndpointForm, Secret, WEBHOOKS_PATH } from "./webhook-form";
import { dispatchCell, EndpointTag } from "./webhook-parts";

type DialogName = "change" | "rotate" | "delete" | null;

/** The key resets the state for another endpoint. */
export default function WebhookPage(props: Props) {
  return <Endpoint key={props.endpoint.id} {...props} />;
}

WebhookPage.Layout = AdminLayout;

function Endpoint({ endpoint, events, newest, log_href }: Props) {
  const page = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<DialogName>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [busy, run] = useBusy();
  // Kept when the dialog is closed without an answer: the same request gets the same secret.
  const rotation = useRef<string>(null);
  const close = () => setDialog(null);
  const closeRotation = () => {
    close();
    setSecret(null);
    // Not before: it may become a reload, and the secret would be lost.
    if (secret) void refresh();
  };
  const test = () => staffCall(`/api${WEBHOOKS_PATH}/${endpoint.id}/test`, { method: "POST" });
  return (
    <>
      <PageHeader
        title={endpoint.name}
        links={[{ label: "Webhooks", href: WEBHOOKS_PATH }]}
        note={<EndpointTag endpoint={endpoint} />}
      >
        <Button
          onClick={() => run(() => sendEvent(test, page, "Test event sent."))}
          disabled={!endpoint.is_enabled}
          aria-disabled={busy}
        >
          Send test event
        </Button>
        <button type="button" className="button button-quiet" onClick={() => setDialog("change")}>
          Edit
        </button>
        <button type="button" className="button button-quiet" onClick={() => setDialog("rotate")}>
          New secret
        </button>
        <button type="button" className="button button-danger" onClick={() => setDialog("delete")}>
          Delete
        </button>
      </PageHeader>
      <Warning endpoint={endpoint} />
      <div ref={page} className="webhook webhook-one">
        <section className="panel" aria-labelledby="endpoint">
          <h2 id="endpoint">Endpoint</h2>
          <Facts endpoint={endpoint} />
        </section>
        <section className="panel" aria-labelledby="newest">
          <h2 id="newest">Recent events</h2>
          {newest.length === 0 ? <p>No events yet.</p> : <Newest dispatches={newest} />}
          {newest.length > 0 && <a href={log_href}>View full log</a>}
        </section>
      </div>
      <Dialog title={`Edit ${endpoint.name}`} open={dialog === "change"} onClose={close} wide>
        <EndpointForm endpoint={endpoint} events={events} onDone={close} />
      </Dialog>
      <Dialog
        title="New secret"
        open={dialog === "rotate" || secret !== null}
        onClose={closeRotation}
        wide
      >
        {secret ? (
          <Secret secret={secret} />
        ) : (
          <Rotation endpoint={endpoint} request={rotation} onCreated={setSecret} />
        )}
      </Dialog>
      <Dialog title={`Delete ${endpoint.name}`} open={dialog === "delete"} onClose={close}>
        <Deletion endpoint={endpoint} page={page} />
      </Dialog>
    </>
  );
}

const OFF_REASONS = {
  gone: "The endpoint returned 410 Gone, so it was turned off.",
  failing: "Nothing was delivered for three days, so it was turned off.",
} as const;

function Warning({ endpoint: { off_why, failing_since } }: { endpoint: EndpointView }) {
  if (!off_why && !failing_since) return null;
  return (
    <div className="settings-trouble webhook-trouble">
      {off_why ? (
        <p>{`${OFF_REASONS[off_why]} Fix the receiver, then turn it back on under Edit.`}</p>
      ) : (
        <p>{`Every attempt since ${formatTime(failing_since ?? "")} has failed. Waiting events will be retried.`}</p>
      )}
    </div>
  );
}

function Facts({ endpoint }: { endpoint: EndpointView }) {
  const { url, events, former_until, made_at } = endpoint;
  return (
    <dl className="facts">
      <div>
        <dt>URL</dt>
        <dd>
          <code>{url}</code>
        </dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd className="webhook-kinds">
          {events.map((kind) => (
            <code key={kind}>{kind}</code>
          ))}
        </dd>
      </div>
      <div>
        <dt>Secret</dt>
        <dd>
          {former_until
            ? `New. The previous secret also works until ${formatTime(former_until)}.`
            : "Shown once, when it was created."}
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <time dateTime={made_at}>{formatTime(made_at)}</time>
        </dd>
      </div>
    </dl>
  );
}

const COLUMNS = [
  ["at", "When"],
  ["status", "State"],
  ["event", "Event"],
  ["subject", "About"],
  ["answer", "Last response"],
] as const;

function Newest({ dispatches }: { dispatches: DispatchEntry[] }) {
  return (
    <ScrollArea label="Latest log entries">
      <table className="admin-list">
        <thead>
          <tr>
            {COLUMNS.map(([name, label]) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dispatches.map((dispatch) => (
            <tr key={dispatch.id}>
              {COLUMNS.map(([name]) => (
                <td key={name}>{dispatchCell(dispatch, name)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface RotationProps {
  endpoint: EndpointView;
  request: RefObject<string | null>;
  onCreated: (secret: string) => void;
}

function Rotation({ endpoint, request, onCreated }: RotationProps) {
  const change = useChange({ version: endpoint.version, content: endpoint });
  const rotate = async () => {
    request.current ??= crypto.randomUUID();
    const body = { version: change.version, request_id: request.current };
    const made = await staffCall(`/api${WEBHOOKS_PATH}/${endpoint.id}/secret`, {
      method: "POST",
      body,
    });
    request.current = null;
    onCreated(made.secret);
  };
  return (
    <form
      method="post"
      ref={change.form}
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void change.ask(rotate, "New secret created.");
      }}
    >
      <ChangeErrors change={change} />
      <p>
        For 24 hours, events are also signed with the secrets that work now, so the receiver doesn’t
        miss any while it switches over.
      </p>
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          Create new secret
        </Button>
      </div>
    </form>
  );
}

interface DeletionProps {
  endpoint: EndpointView;
  page: RefObject<HTMLElement | null>;
}

function Deletion({ endpoint, page }: DeletionProps) {
  const { id, name } = endpoint;
  const change = useChange<HTMLDivElement>({ version: endpoint.version, content: endpoint });
  const remove = async () => {
    await staffCall(`/api${WEBHOOKS_PATH}/${id}?version=${change.version}`, { method: "DELETE" });
    if (page.current) await navigate(WEBHOOKS_PATH);
    // A prefetched page may still list it.
    await refresh();
  };
  return (
    <div ref={change.form} className="admin-form">
      <p>
        No more events will be sent, and its log is deleted within a day. To pause it, turn it off
        instead.
      </p>
      <ChangeErrors change={change} />
      <div className="admin-dialog-acts">
        <button
          type="button"
          className="button button-danger"
          aria-disabled={change.busy}
          onClick={() => void change.ask(remove, `${name} deleted.`)}
        >
          Delete endpoint
        </button>
      </div>
    </div>
  );
}
