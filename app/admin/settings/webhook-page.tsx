import { useState } from "react";
import { ApiError } from "../../lib/api";
import { formatTime } from "../../lib/format";
import { navigate, refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type {
  DispatchEntry,
  DispatchSent,
  EndpointSecret,
  EndpointView,
  WebhookPage as Props,
} from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { Head } from "../parts/head";
import { Trouble, useChange } from "./parts";
import { EndpointForm, PATH, Secret } from "./webhook-form";
import { dispatchCell, EndpointTag } from "./webhook-parts";

type Asked = "change" | "rotate" | "delete" | null;

export default function WebhookPage({ endpoint, events, newest, log_href }: Props) {
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Head
        title={endpoint.name}
        links={[{ label: "Webhooks", href: PATH }]}
        note={<EndpointTag endpoint={endpoint} />}
      >
        <Button onClick={() => void sendTest(endpoint)} disabled={!endpoint.is_enabled}>
          Send a test
        </Button>
        <button type="button" className="button button-quiet" onClick={() => setAsked("change")}>
          Change
        </button>
        <button type="button" className="button button-quiet" onClick={() => setAsked("rotate")}>
          New secret
        </button>
        <button type="button" className="button button-danger" onClick={() => setAsked("delete")}>
          Delete
        </button>
      </Head>
      <Warning endpoint={endpoint} />
      <div className="webhook webhook-one">
        <section className="panel" aria-labelledby="endpoint">
          <h2 id="endpoint">Endpoint</h2>
          <Facts endpoint={endpoint} />
        </section>
        <section className="panel" aria-labelledby="newest">
          <h2 id="newest">Sent last</h2>
          {newest.length === 0 ? <p>Nothing yet.</p> : <Newest dispatches={newest} />}
          {newest.length > 0 && <a href={log_href}>Whole log of this endpoint</a>}
        </section>
      </div>
      <Dialog title={`Change ${endpoint.name}`} open={asked === "change"} onClose={close} wide>
        <EndpointForm endpoint={endpoint} events={events} onDone={close} />
      </Dialog>
      <Dialog title="New secret" open={asked === "rotate"} onClose={close} wide>
        <Rotation endpoint={endpoint} />
      </Dialog>
      <Dialog title={`Delete ${endpoint.name}`} open={asked === "delete"} onClose={close}>
        <Deletion endpoint={endpoint} />
      </Dialog>
    </>
  );
}

WebhookPage.Layout = AdminLayout;

/** Goes to what came of it. */
async function sendTest({ id }: EndpointView): Promise<void> {
  try {
    const sent = await staffCall<DispatchSent>(`/api${PATH}/${id}/test`, { method: "POST" });
    await navigate(`${PATH}/log/${sent.id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    addToast({ severity: "error", summary: error.message });
  }
}

const WHY = {
  gone: "It answered 410: it wants nothing any more. The shop has switched it off.",
  failing: "Nothing got through for three days. The shop has switched it off.",
} as const;

function Warning({ endpoint: { off_why, failing_since } }: { endpoint: EndpointView }) {
  if (!off_why && !failing_since) return null;
  return (
    <div className="settings-trouble webhook-trouble">
      {off_why ? (
        <p>{`${WHY[off_why]} Mend the receiver, then switch it on under Change.`}</p>
      ) : (
        <p>{`Every try since ${formatTime(failing_since ?? "")} has failed. What waits is tried again.`}</p>
      )}
    </div>
  );
}

function Facts({ endpoint }: { endpoint: EndpointView }) {
  const { url, events, former_until, made_at } = endpoint;
  return (
    <dl className="facts">
      <div>
        <dt>Address</dt>
        <dd>
          <code>{url}</code>
        </dd>
      </div>
      <div>
        <dt>Told of</dt>
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
            ? `New. The former one signs, too, until ${formatTime(former_until)}.`
            : "Shown once, when it was made."}
        </dd>
      </div>
      <div>
        <dt>Made</dt>
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
  ["answer", "Last answer"],
] as const;

function Newest({ dispatches }: { dispatches: DispatchEntry[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keys.
    <section className="admin-list-scroll" aria-label="Newest of the log" tabIndex={0}>
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
    </section>
  );
}

function Rotation({ endpoint: { id, version } }: { endpoint: EndpointView }) {
  const change = useChange();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret) return <Secret secret={secret} />;
  const rotate = async () => {
    const body = { version };
    const made = await staffCall<EndpointSecret>(`/api${PATH}/${id}/secret`, {
      method: "POST",
      body,
    });
    setSecret(made.secret);
  };
  return (
    <div className="admin-form">
      <Trouble change={change} />
      <p>
        For 24 hours each event is signed with the former secret, too, so that the receiver misses
        none while it changes over.
      </p>
      <div className="admin-dialog-acts">
        <Button
          disabled={change.busy}
          onClick={() => void change.send(rotate, "There is a new secret.")}
        >
          Make a new secret
        </Button>
      </div>
    </div>
  );
}

function Deletion({ endpoint: { id, name, version } }: { endpoint: EndpointView }) {
  const [problem, setProblem] = useState<string | null>(null);
  async function remove(): Promise<void> {
    try {
      await staffCall(`/api${PATH}/${id}?version=${version}`, { method: "DELETE" });
      addToast({ severity: "success", summary: `${name} is deleted.`, life: 5_000 });
      await navigate(PATH);
      // What was fetched ahead still has it.
      await refresh();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  }
  return (
    <div className="admin-form">
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <p>
        Nothing is sent to it any more, and its log goes with it. To stop it for a while, switch it
        off instead.
      </p>
      <div className="admin-dialog-acts">
        <button type="button" className="button button-danger" onClick={() => void remove()}>
          Delete endpoint
        </button>
      </div>
    </div>
  );
}
