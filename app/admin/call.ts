import { ApiError, type Call, type CallOptions, call } from "../lib/api";
import { markFormsSaved } from "./parts/unsaved";

/** Why the user must sign in again. */
export type SignInReason = "stale" | "weak" | "ended";

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

/**
 * An API call of the admin area. If it requires a new sign-in, the user is asked to sign in again; the call fails and
 * can be repeated afterward.
 */
export const staffCall: Call = async (path: string, options?: CallOptions): Promise<never> => {
  try {
    // The type of `staffCall` has checked the arguments.
    const answer = await call(path as never, options as never);
    if (options?.method && options.method !== "GET") markFormsSaved();
    return answer;
  } catch (error) {
    const reason = error instanceof ApiError ? REASONS[error.problem?.code ?? ""] : undefined;
    if (reason) requestSignIn?.(reason);
    throw error;
  }
};
