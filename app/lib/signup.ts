import { SIGNUP_FLOW_KEY } from "./signup-key";
import { isRecord, type JsonStorage, local } from "./storage";

/** What a visitor has said before going to the identity provider to make an account. */
export interface PendingSignup {
  birth_date: string;
  preferred_state: string;
}

export const SIGNUP_KEY = "shop.signup";

/** Keeps the pending data until the next sign-in. */
export function rememberSignup(pending: PendingSignup, storage: JsonStorage = local): void {
  storage.write(SIGNUP_KEY, pending);
}

/** Marks the flow when there is something pending. */
export function markSignup(storage: JsonStorage = local): void {
  if (storage.read(SIGNUP_KEY, isPending)) storage.write(SIGNUP_FLOW_KEY, true);
}

/** Takes the pending data out of storage: it is used once, whatever comes of it. */
export function takeSignup(storage: JsonStorage = local): PendingSignup | null {
  const flow = storage.read(SIGNUP_FLOW_KEY, (value): value is true => value === true);
  if (!flow) return null;
  const pending = storage.read(SIGNUP_KEY, isPending);
  storage.remove(SIGNUP_KEY);
  storage.remove(SIGNUP_FLOW_KEY);
  return pending;
}

function isPending(value: unknown): value is PendingSignup {
  return (
    isRecord(value) &&
    typeof value.birth_date === "string" &&
    typeof value.preferred_state === "string"
  );
}
