import { formatTime } from "../../lib/format";
import type { HistoryItem } from "../../lib/types";
import { auditedLabel } from "./field-labels";

export function History({ history }: { history: HistoryItem[] }) {
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ol className="product-history">
        {history.map(({ at, actor, action, before, after }, nth) => {
          const fields = [
            ...new Set([before, after].flatMap((each) => Object.keys((each ?? {}) as object))),
          ];
          const isNew = before === null;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two changes may have the same time, and entries have no state.
            <li key={nth}>
              <time dateTime={at}>{formatTime(at)}</time>
              <span>
                {`${actor || "Deleted account"}: ${action.replace("product.", "")}`}
                {!isNew && fields.length > 0 && (
                  <small>{fields.map(auditedLabel).join(", ")}</small>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
