import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { CartItem } from "./cart";
import { errorText } from "./errors";
import { loaded } from "./load";
import type { Quote, QuoteRequest } from "./types";

const DELAY_MS = 350;

export interface QuoteState {
  /** The last quote; null before the first. */
  quote: Quote | null;
  /** Whether `quote` matches the current request. */
  fresh: boolean;
  /** Why there is no newer quote. */
  error: string | null;
}

/** The lines as a quote request takes them, without those saved for later. */
export function quoteLines(items: readonly CartItem[]): QuoteRequest["items"] {
  return items
    .filter(({ saved }) => !saved)
    .map(({ id, qty, price }) => ({ id, qty, price, saved: false }));
}

const never = () => () => {};
const no = () => false;
const yes = () => true;

/**
 * Requests a quote right away, and again shortly after the request or `isGuest` has changed, since accounts may be offered
 * more; the newest response wins. `known` is the quote that the server rendered. During hydration it counts as the response
 * to the first request. After a client-side navigation it is shown only until a quote for this browser's cart arrives,
 * because the server may not know that cart yet.
 */
export function useQuote(
  request: QuoteRequest | null,
  known: Quote | null = null,
  isGuest?: boolean,
): QuoteState & { again: () => void } {
  const [round, setRound] = useState(0);
  const hasRequested = useRef(false);
  const key = request ? JSON.stringify([request, round, isGuest]) : "";
  const hydrates = useSyncExternalStore(never, no, yes);
  const [state, setState] = useState<Omit<QuoteState, "fresh"> & { key: string }>({
    quote: known,
    error: null,
    key: known && hydrates ? key : "",
  });
  const again = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    if (!key || key === state.key) return;
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        hasRequested.current = true;
        requestQuote(JSON.parse(key)[0], abort.signal).then(
          (quote) => setState({ quote, error: null, key }),
          (error: unknown) => {
            if (abort.signal.aborted) return;
            setState((before) => ({ ...before, error: errorText(error), key }));
          },
        );
      },
      hasRequested.current ? DELAY_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, state.key]);

  useEffect(() => {
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [again]);

  const current = state.key === key;
  return {
    quote: state.quote,
    fresh: current && !state.error && state.quote !== null,
    error: current ? state.error : null,
    again,
  };
}

/** Why there is no newer quote, and a button that requests one. */
export function QuoteError({ error, again }: Pick<ReturnType<typeof useQuote>, "error" | "again">) {
  return (
    error && (
      <p className="field-error" role="alert">
        {error}{" "}
        <button type="button" className="link" onClick={again}>
          Try again
        </button>
      </p>
    )
  );
}

/** The code is loaded with the first request: mostly the server's page has the quote already. */
async function requestQuote(body: QuoteRequest, signal: AbortSignal): Promise<Quote> {
  const { call } = await loaded(import("./api"));
  return call("/api/checkout/quote", { method: "POST", body, signal, retry: 1 });
}
