import { refresh } from "../../lib/navigation";
import { isConflict } from "../call";

/**
 * Sends a change of an account. If someone else has changed the account since it was shown, shows it anew before it fails, so
 * that the next try is based on what is there.
 */
export async function sendChange(
  send: () => Promise<unknown>,
  showAnew: () => Promise<unknown> = refresh,
): Promise<void> {
  try {
    await send();
  } catch (cause) {
    if (isConflict(cause)) await showAnew();
    throw cause;
  }
}
