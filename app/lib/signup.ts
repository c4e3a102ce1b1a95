import { SIGNUP_FLOW_KEY } from "./signup-key";
import { isRecord, type JsonStorage, local } from "./storage";

/** What a visitor entered before going to the identity provider to create an account. */
export interface PendingSignup {
  birth_date: string;
  preferred_state: string;
}

export const SIGNUP_KEY = "shop.signup";
/** As long as the server accepts a return from the provider. */
const LIFETIME_MS = 10 * 60_000;

/** Stores the pending data until the next sign-in. */
export function rememberSignup(pending: PendingSignup, storage: JsonStorage = local): void {
  storage.write(SIGNUP_KEY, pending);
}

/** Stores the start time of the sign-up, if there is pending data. */
export function markSignup(storage: JsonStorage = local, now = Date.now()): void {
  if (storage.read(SIGNUP_KEY, isPending)) storage.write(SIGNUP_FLOW_KEY, now);
}

/** Whether the sign-up has expired, so that no return from the provider is possible. */
export function isSignupOver(storage: JsonStorage = local, now = Date.now()): boolean {
  const age = now - (storage.read(SIGNUP_FLOW_KEY, Number.isFinite as IsNumber) ?? 0);
  return age < 0 || age >= LIFETIME_MS;
}

/** Removes the pending data from storage and returns it, or null if it has expired. */
export function takeSignup(storage: JsonStorage = local, now = Date.now()): PendingSignup | null {
  const pending = isSignupOver(storage, now) ? null : storage.read(SIGNUP_KEY, isPending);
  forgetSignup(storage);
  return pending;
}

export function forgetSignup(storage: JsonStorage = local): void {
  storage.remove(SIGNUP_KEY);
  storage.remove(SIGNUP_FLOW_KEY);
}

type IsNumber = (value: unknown) => value is number;

function isPending(value: unknown): value is PendingSignup {
  return (
    isRecord(value) &&
    typeof value.birth_date === "string" &&
    typeof value.preferred_state === "string"
  );
}
