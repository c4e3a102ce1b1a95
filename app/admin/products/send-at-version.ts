import { isConflict } from "./conflict-note";
import { changedFields } from "./merge";

/**
 * Sends a change of what the user has `seen`. If nothing but its version has changed in the meantime, because someone else
 * moved it, sends again at the new one. `fetchLatest` resolves with undefined if it is gone.
 */
export async function sendAtVersion<Form extends { version: number }>(
  seen: Form,
  send: (version: number) => Promise<unknown>,
  fetchLatest: () => Promise<Form | undefined>,
): Promise<void> {
  try {
    await send(seen.version);
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    const latest = await fetchLatest();
    // If it could not be fetched again, its version is still the same.
    if (!latest || latest.version <= seen.version) throw cause;
    if (changedFields(seen, latest).some((field) => field !== "version")) throw cause;
    await sendAtVersion(latest, send, fetchLatest);
  }
}
