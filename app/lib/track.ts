import { whenQuiet } from "./quiet";
import type { ActivityEvent } from "./types";

let recorder: Promise<typeof import("./recorder")> | undefined;

/** Records what the visitor did. The code that reports it is loaded when the page is idle; until then events wait. */
export function track(type: ActivityEvent["type"], about: Partial<ActivityEvent> = {}): void {
  const event = { ...about, type, timestamp: new Date().toISOString() };
  recorder ??= new Promise<void>(whenQuiet).then(() => import("./recorder"));
  // A lost report does no harm.
  recorder.then(({ record }) => record(event)).catch(() => {});
}
