import { formatTime } from "../../lib/format";
import type { EventItem } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";
import { ScrollArea } from "../parts/scroll-area";

/** The latest webhooks from providers, with a button to process each again. */
export function WebhooksPanel({ events }: { events: EventItem[] }) {
  return (
    <section className="panel testing-events" aria-labelledby="events">
      <h2 id="events">Webhooks</h2>
      {events.length === 0 ? (
        <p>No webhooks received yet.</p>
      ) : (
        <ScrollArea label="Latest webhooks">
          <table className="admin-list">
            <thead>
              <tr>
                <th scope="col">Received</th>
                <th scope="col">Type</th>
                <th scope="col">Event</th>
                <th scope="col">Outcome</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={`${event.event_id} ${event.kind}`}>
                  <td>
                    <time dateTime={event.received}>{formatTime(event.received)}</time>
                  </td>
                  <td>{event.kind}</td>
                  <td>
                    <code>{event.event_id}</code>
                  </td>
                  <td>{event.is_understood ? event.outcome : "waiting"}</td>
                  <td>
                    <button type="button" className="link" onClick={() => replay(event)}>
                      Replay
                      <span className="visually-hidden">{` ${event.kind} ${event.event_id}`}</span>
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </section>
  );
}

function replay({ provider, event_id, kind }: EventItem): void {
  const body = { provider, event_id, kind };
  const send = () => staffCall("/api/admin/testing/webhooks", { method: "POST", body });
  void runAction(send, "Event replayed.");
}
