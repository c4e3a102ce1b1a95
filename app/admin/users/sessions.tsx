import { formatTime } from "../../lib/format";
import type { UserPage } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";
import { useBusy } from "../parts/use-busy";

/** The user's sessions, with buttons to end them. */
export function Sessions({ user: { id, sessions, may_manage } }: { user: UserPage }) {
  const [busy, run] = useBusy();
  if (sessions.length === 0) return <p>Not signed in on any device.</p>;
  const endSession = (session: string) =>
    staffCall(`/api/admin/users/${id}/sessions/${session}`, { method: "DELETE" });
  const endAllSessions = () => staffCall(`/api/admin/users/${id}/sessions`, { method: "DELETE" });
  return (
    <>
      <ul className="user-sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <p>
              {session.device}
              <small>{`${session.network}, last seen ${formatTime(session.seen)}`}</small>
            </p>
            {may_manage && (
              <button
                type="button"
                className="link"
                aria-disabled={busy}
                onClick={() =>
                  run(() =>
                    runAction(
                      () => endSession(session.id),
                      "Session ended.",
                      "This session was over already.",
                    ),
                  )
                }
              >
                End
                <span className="visually-hidden">{` the session of ${session.device}`}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {may_manage && sessions.length > 1 && (
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={busy}
          onClick={() => run(() => runAction(endAllSessions, "All sessions ended."))}
        >
          End all sessions
        </button>
      )}
    </>
  );
}
