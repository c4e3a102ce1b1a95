import { ApiError, type Call, type CallOptions, call } from "../lib/api";
import { saved } from "./parts/unsaved";

let ask: (() => void) | null = null;

/** The layout says how somebody is asked to show who they are. Returns what takes it back. */
export function onStaleSignIn(show: () => void): () => void {
  ask = show;
  return () => {
    ask = null;
  };
}

/**
 * A call of the admin area. Where it wants a sign-in of the last minutes, who asks is asked to sign in again; the call fails, and may
 * be made again after it.
 */
export const staffCall: Call = async (path: string, options?: CallOptions): Promise<never> => {
  try {
    // The type of `staffCall` has checked them.
    const answer = await call(path as never, options as never);
    if (options?.method && options.method !== "GET") saved();
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === "stale_sign_in") ask?.();
    throw error;
  }
};
