import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError, call } from "./api";
import type { CartItem } from "./cart";
import type { Quote, QuoteRequest } from "./types";

const DELAY_MS = 350;

export interface QuoteState {
  /** The last one that came; null until then. */
  quote: Quote | null;
  /** What was asked for is what `quote` answers. */
  fresh: boolean;
  /** Why there is no newer one. */
  error: string | null;
}

/** What the server is told of lines: it decides all the rest. */
export function wanted(items: readonly CartItem[]): QuoteRequest["items"] {
  return items
    .filter(({ saved }) => !saved)
    .map(({ id, qty, price }) => ({ id, qty, price, saved: false }));
}

const never = () => () => {};
const no = () => false;
const yes = () => true;

/**
 * Asks for a quote at once, and again a moment after what is asked has changed; the newest answer wins. `known` is what the server
 * has rendered: while hydrating it answers the first request; on a page that the app has gone to it is shown until this browser's own
 * cart is answered, which the server may not know yet.
 */
export function useQuote(
  request: QuoteRequest | null,
  known: Quote | null = null,
): QuoteState & { again: () => void } {
  const [round, setRound] = useState(0);
  const asked = useRef(false);
  const key = request ? `${round} ${JSON.stringify(request)}` : "";
  const hydrates = useSyncExternalStore(never, no, yes);
  const [state, setState] = useState<QuoteState & { key: string }>({
    quote: known,
    fresh: known !== null,
    error: null,
    key: known && hydrates ? key : "",
  });
  const answered = useRef(state.key);
  const again = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    if (!key || key === answered.current) return;
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        asked.current = true;
        call("/api/checkout/quote", {
          method: "POST",
          body: JSON.parse(key.slice(key.indexOf(" "))),
          signal: abort.signal,
          retry: 1,
        }).then(
          (quote) => {
            answered.current = "";
            setState({ quote, fresh: true, error: null, key });
          },
          (error: unknown) => {
            if (abort.signal.aborted) return;
            const message = error instanceof ApiError ? error.message : String(error);
            setState((before) => ({ ...before, error: message, key }));
          },
        );
      },
      asked.current ? DELAY_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);

  useEffect(() => {
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [again]);

  const current = state.key === key;
  return {
    quote: state.quote,
    fresh: current && state.error === null && state.quote !== null,
    error: current ? state.error : null,
    again,
  };
}
