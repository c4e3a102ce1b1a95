import { formatTime } from "../../lib/format";
import type { DispatchEntry, EndpointView } from "../../lib/types";
import { Tag } from "../parts/tag";
import { DISPATCH } from "./status-labels";

/** The status of an endpoint. */
export function EndpointTag({ endpoint }: { endpoint: EndpointView }) {
  const [label, tone] = stateOf(endpoint);
  return (
    <span className="tag" data-tone={tone}>
      {label}
    </span>
  );
}

function stateOf({ is_enabled, off_why, failing_since }: EndpointView) {
  if (off_why) return ["Turned off", "bad"] as const;
  if (!is_enabled) return ["Off", undefined] as const;
  return failing_since ? (["Failing", "warn"] as const) : (["On", "good"] as const);
}

export function DispatchTag({ dispatch: { status } }: { dispatch: DispatchEntry }) {
  return <Tag of={DISPATCH[status]} />;
}

/** The outcome of the last attempt. */
function outcome({ last_code, last_error, attempts }: DispatchEntry): string {
  if (last_error) return last_error;
  if (last_code !== null) return String(last_code);
  return attempts === 0 ? "No attempts yet" : "";
}

/** The content of a column of the log. */
export function dispatchCell(dispatch: DispatchEntry, column: string) {
  switch (column) {
    case "at":
      return (
        <a href={dispatch.href}>
          <time dateTime={dispatch.at}>{formatTime(dispatch.at)}</time>
        </a>
      );
    case "event":
      return <code>{dispatch.kind}</code>;
    case "subject":
      return dispatch.subject;
    case "endpoint":
      return dispatch.endpoint ?? "Deleted";
    case "status":
      return <DispatchTag dispatch={dispatch} />;
    case "answer":
      return outcome(dispatch);
    case "last_at":
      return (
        dispatch.last_at && <time dateTime={dispatch.last_at}>{formatTime(dispatch.last_at)}</time>
      );
    default:
      return dispatch.attempts;
  }
}
