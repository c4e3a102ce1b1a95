import { ApiError, type CallOptions, call } from "../lib/api";
import { saved } from "./parts/unsaved";

let ask: (() => void) | null = null;

/** The layout says how somebody is asked to show who they are. Returns what takes it back. */
export function onStaleSignIn(show: () => void): () => void {
  ask = show;
  return () => {
    ask = null;
  };
}

/** What answers is the caller's to know: the forms of the admin area share calls whose path they are told. */
export type UntypedCall = <T>(path: string, options?: CallOptions) => Promise<T>;

/**
 * A call of the admin area. Where it wants a sign-in of the last minutes, who asks is asked to sign in again; the call fails, and may
 * be made again after it.
 */
export async function staffCall<T>(path: string, options?: CallOptions): Promise<T> {
  try {
    const answer = await (call as UntypedCall)<T>(path, options);
    if (options?.method && options.method !== "GET") saved();
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === "stale_sign_in") ask?.();
    throw error;
  }
}
