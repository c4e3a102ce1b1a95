import { ApiError, type Call, type CallOptions, call } from "../lib/api";
import { screen } from "../lib/screen";
import { addToast } from "../lib/toast";
import { startSaving } from "./parts/unsaved";

/** Why the user must sign in again. */
export type SignInReason = "stale" | "weak" | "ended";

/** By the code of a problem. */
const REASONS: Record<string, SignInReason> = {
  stale_sign_in: "stale",
  weak_sign_in: "weak",
  unauthorized: "ended",
};

let requestSignIn: ((reason: SignInReason) => void) | null = null;

/** Registers the layout's function that asks the user to sign in again. Returns a function that unregisters it. */
export function onSignInNeeded(show: (reason: SignInReason) => void): () => void {
  requestSignIn = show;
  return () => {
    requestSignIn = null;
  };
}

/** Why an error asks for a new sign-in, if it does. */
export function signInReason(error: unknown): SignInReason | undefined {
  return error instanceof ApiError ? REASONS[error.problem?.code ?? ""] : undefined;
}

/** Asks the user to sign in again if an error requires it. */
export function askForSignIn(error: unknown): void {
  const reason = signInReason(error);
  if (reason) requestSignIn?.(reason);
}

/** Whether a call was refused because someone else has changed the same thing. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.problem?.code === "changed_meanwhile";
}

/** What a call has failed with. An error that is no call’s is thrown on. */
export function failure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Tells in a toast why a call has failed. An error that is no call’s is thrown on. */
export function tellFailure(error: unknown): void {
  addToast({ severity: "error", summary: failure(error).message });
}

/**
 * An API call of the admin area. If it requires a new sign-in, the user is asked to sign in again; the call fails and
 * can be repeated afterward.
 */
export const staffCall: Call = async (path: string, options?: CallOptions): Promise<never> => {
  const isSent = options?.method !== undefined && options.method !== "GET";
  const saved = isSent ? startSaving() : () => {};
  try {
    // The type of `staffCall` has checked the arguments.
    const answer = await call(path as never, options as never);
    if (isSent) {
      saved();
      // They may show what was there before.
      screen.forgetPrefetched?.();
    }
    return answer;
  } catch (error) {
    askForSignIn(error);
    throw error;
  }
};
