import { useEffect, useState } from "react";
import { ApiError } from "../../lib/api";
import type { Quote } from "../../lib/types";
import type { OrderCall } from "./new-order-call";

const DELAY_MS = 350;

export interface StaffQuote {
  /** The last quote. */
  quote: Quote | null;
  /** Whether `quote` matches the current request. */
  fresh: boolean;
  /** Why there is no newer quote. */
  error: ApiError | null;
}

/** Requests a quote shortly after the order has changed. `call` is null while the order is incomplete. */
export function useStaffQuote(call: OrderCall | null) {
  const [state, setState] = useState<StaffQuote & { key: string }>({
    quote: null,
    fresh: false,
    error: null,
    key: "",
  });
  const [round, setRound] = useState(0);
  const key = call ? `${round} ${JSON.stringify(call.body)}` : "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains the whole request.
  useEffect(() => {
    if (!call) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call.send({ signal: abort.signal }).then(
        ({ quote }) => setState({ quote, fresh: true, error: null, key }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          setState((before) => ({ ...before, error, key }));
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);

  const current = key !== "" && state.key === key;
  return {
    quote: key === "" ? null : state.quote,
    fresh: current && state.error === null,
    error: current ? state.error : null,
    again: () => setRound((before) => before + 1),
  };
}
