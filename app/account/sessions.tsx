import { call } from "../lib/api";
import { formatDate } from "../lib/format";
import type { SessionView } from "../lib/types";
import { act } from "../lib/use-save";

/** The day, in UTC. */
const day = (ms: number) => formatDate(new Date(ms).toISOString());

export function Sessions({ sessions }: { sessions: SessionView[] }) {
  return (
    <>
      <ul className="account-rows">
        {sessions.map(({ id, device, network, seen_at, is_current }) => (
          <li key={id}>
            <div>
              <b>{device}</b>
              <span>
                {is_current ? "This device" : `Last seen ${day(seen_at)}`}, network {network}
              </span>
            </div>
            {!is_current && (
              <button
                type="button"
                className="link"
                aria-label={`Sign out ${device}, last seen ${day(seen_at)}`}
                onClick={() =>
                  act(
                    () => call(`/api/me/sessions/${id}`, { method: "DELETE" }),
                    "That device is signed out.",
                  )
                }
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <button
          type="button"
          className="button button-quiet"
          onClick={() =>
            act(
              () => call("/api/me/sessions", { method: "DELETE" }),
              "All other devices are signed out.",
            )
          }
        >
          Sign out all other devices
        </button>
      )}
    </>
  );
}
