import { isConflict } from "../call";
import { changedFields } from "./merge";

/**
 * Sends a change of what the user has `seen`. If nothing but its version has changed in the meantime, because someone else
 * moved it, sends again at the new one. If it is as `wanted` by now, it was saved before, and the answer was lost.
 * `fetchLatest` resolves with undefined if it is gone.
 */
export async function sendAtVersion<Form extends { version: number }>(
  seen: Form,
  send: (version: number) => Promise<unknown>,
  fetchLatest: () => Promise<Form | undefined>,
  wanted?: Form,
): Promise<void> {
  const differs = (latest: Form, form: Form) =>
    changedFields(form, latest).some((field) => field !== "version");
  try {
    await send(seen.version);
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    const latest = await fetchLatest();
    // If it could not be fetched again, its version is still the same.
    if (!latest || latest.version <= seen.version) throw cause;
    if (wanted && !differs(latest, wanted)) return;
    if (differs(latest, seen)) throw cause;
    await sendAtVersion(latest, send, fetchLatest, wanted);
  }
}
