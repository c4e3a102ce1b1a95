import { useState } from "react";
import { refresh } from "../../lib/navigation";
import type { EndpointSecret, EndpointView, WebhooksPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { ScrollArea } from "../parts/scroll-area";
import { SettingsLayout } from "./settings-layout";
import { EndpointForm, Secret, WEBHOOKS_PATH } from "./webhook-form";
import { EndpointTag } from "./webhook-parts";

export default function WebhooksPage({ endpoints, events }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<EndpointSecret | null>(null);
  const close = () => {
    setOpen(false);
    setCreated(null);
    if (created) void refresh();
  };
  return (
    <SettingsLayout
      path={WEBHOOKS_PATH}
      title="Webhooks"
      actions={
        <>
          <a className="button button-quiet" href={`${WEBHOOKS_PATH}/log`}>
            Log
          </a>
          <Button onClick={() => setOpen(true)}>New endpoint</Button>
        </>
      }
    >
      <p className="settings-lead">
        Webhooks tell other systems, such as a warehouse or accounting software, right away what
        happens in the shop: IDs, numbers, and amounts, but nothing about customers. Failed
        deliveries are retried for three days.
      </p>
      {endpoints.length === 0 ? (
        <p className="admin-list-empty">No endpoints yet.</p>
      ) : (
        <Endpoints endpoints={endpoints} all={events.length} />
      )}
      <Dialog
        title={created ? "Endpoint secret" : "New endpoint"}
        open={isOpen || created !== null}
        onClose={close}
        wide
      >
        {created ? (
          <Secret secret={created.secret}>
            <p>
              Then <a href={`${WEBHOOKS_PATH}/${created.id}`}>send a test event</a>.
            </p>
          </Secret>
        ) : (
          <EndpointForm
            endpoint={undefined}
            events={events}
            onDone={close}
            onCreated={setCreated}
          />
        )}
      </Dialog>
    </SettingsLayout>
  );
}

WebhooksPage.Layout = AdminLayout;

function Endpoints({ endpoints, all }: { endpoints: EndpointView[]; all: number }) {
  return (
    <ScrollArea label="Endpoints">
      <table className="admin-list">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">URL</th>
            <th scope="col">Events</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <td>
                <a href={endpoint.href}>{endpoint.name}</a>
              </td>
              <td className="webhook-url">
                <code>{endpoint.url}</code>
              </td>
              <td>{eventsText(endpoint.events, all)}</td>
              <td>
                <EndpointTag endpoint={endpoint} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function eventsText(events: string[], all: number): string {
  if (events.length === all) return "Everything";
  return events.length <= 2 ? events.join(", ") : `${events.length} of ${all} events`;
}
