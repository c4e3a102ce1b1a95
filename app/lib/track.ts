import { whenQuiet } from "./quiet";
import type { ActivityEvent } from "./types";

let recorder: Promise<typeof import("./recorder")> | undefined;

/** Notes what the visitor did. The code that reports it comes when the page is quiet; until then events wait. */
export function track(type: ActivityEvent["type"], about: Partial<ActivityEvent> = {}): void {
  const event = { ...about, type, timestamp: new Date().toISOString() };
  recorder ??= new Promise<void>(whenQuiet).then(() => import("./recorder"));
  // Nobody misses a report.
  recorder.then(({ record }) => record(event)).catch(() => {});
}
