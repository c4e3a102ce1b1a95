import { type ReactNode, useRef, useState } from "react";
import { text } from "../../lib/form";
import type { EndpointInput, EndpointSecret, EndpointView, EventChoice } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { ChangeErrors, useChange } from "./use-change";

export const WEBHOOKS_PATH = "/admin/settings/webhooks";

const GROUPS = [
  ["order.", "Orders"],
  ["return.", "Returns"],
  ["product.", "Products"],
  ["stock.", "Stock"],
] as const;

interface Props {
  /** Undefined for a new one. */
  endpoint: EndpointView | undefined;
  events: EventChoice[];
  onDone: () => void;
  /** Shows the secret of a new one. The page is to be refreshed after that. */
  onCreated?: (made: EndpointSecret) => void;
}

/** The form of a webhook endpoint: its name, URL, and events. */
export function EndpointForm({ endpoint, events, onDone, onCreated }: Props) {
  const change = useChange({ version: endpoint?.version ?? 0, content: endpoint });
  // Sent again after a lost answer, the same request creates no second endpoint.
  const request = useRef<string>(null);
  async function save(data: FormData): Promise<void> {
    const body: EndpointInput = {
      name: text(data, "name"),
      url: text(data, "url"),
      events: data.getAll("events") as EndpointInput["events"],
      is_enabled: data.get("is_enabled") === "on",
    };
    if (endpoint) {
      const call = () =>
        staffCall(`/api${WEBHOOKS_PATH}/${endpoint.id}`, {
          method: "PUT",
          body: { version: change.version, endpoint: body },
        });
      if (await change.send(call, `${body.name} saved.`)) onDone();
      return;
    }
    const call = async () => {
      request.current ??= crypto.randomUUID();
      const made = await staffCall(`/api${WEBHOOKS_PATH}`, {
        method: "POST",
        body: { ...body, request_id: request.current },
      });
      request.current = null;
      onCreated?.(made);
    };
    // A refresh may become a reload, and the secret would be lost.
    await change.ask(call, `${body.name} created.`);
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
      <ChangeErrors change={change} fields={["name", "url", "events"]} />
      <Field
        name="name"
        label="Name"
        required
        maxLength={60}
        autoComplete="off"
        defaultValue={endpoint?.name}
        problem={change.about("name")}
      />
      <Field
        name="url"
        type="url"
        label="URL"
        hint="Each event is sent there as a POST, signed."
        required
        maxLength={500}
        autoComplete="off"
        placeholder="https://"
        defaultValue={endpoint?.url}
        problem={change.about("url")}
      />
      <EventBoxes
        events={events}
        chosen={endpoint?.events ?? []}
        problem={change.about("events")}
      />
      <label className="admin-check">
        <input type="checkbox" name="is_enabled" defaultChecked={endpoint?.is_enabled ?? true} />
        On: send events
      </label>
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          {endpoint ? "Save endpoint" : "Create endpoint"}
        </Button>
      </div>
    </form>
  );
}

function EventBoxes({
  events,
  chosen,
  problem,
}: {
  events: EventChoice[];
  chosen: string[];
  problem: string | undefined;
}) {
  return (
    <div className="webhook-events">
      {GROUPS.map(([start, group]) => (
        <fieldset key={start}>
          <legend>{group}</legend>
          {events
            .filter(({ kind }) => kind.startsWith(start))
            .map(({ kind, label }) => (
              <label key={kind} className="admin-check">
                <input
                  type="checkbox"
                  name="events"
                  value={kind}
                  defaultChecked={chosen.includes(kind)}
                />
                <span>
                  {label}
                  <small>
                    <code>{kind}</code>
                  </small>
                </span>
              </label>
            ))}
        </fieldset>
      ))}
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Shows a new secret, which cannot be displayed again. */
export function Secret({ secret, children }: { secret: string; children?: ReactNode }) {
  /** Null before it is tried. */
  const [isCopied, setCopied] = useState<boolean | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  }
  return (
    <div className="admin-form">
      <p>
        Copy the secret now and add it to the receiver, which uses it to verify signatures.{" "}
        <b>It won’t be shown again.</b>
      </p>
      <div className="webhook-secret">
        <input
          className="input"
          aria-label="Secret"
          readOnly
          value={secret}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</Button>
        <p className="field-hint" role="status">
          {isCopied === false && "Select the secret and copy it yourself."}
        </p>
      </div>
      {children}
    </div>
  );
}
