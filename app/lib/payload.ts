import { isRecord } from "./storage";
import { timeLimit } from "./timers";
import type { Envelope } from "./types";

/** The address at which the server sends a page's envelope instead of its HTML. */
export function payloadUrl(url: URL): string {
  // With the origin: a path that begins with two slashes would name another host.
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/_payload.json${url.search}`;
}

/** Rejects unless an envelope arrives within 10 s; error pages (404, 410, 500) are envelopes too. */
export async function fetchEnvelope(
  url: URL,
  { signal, ...init }: RequestInit = {},
): Promise<Envelope> {
  const response = await fetch(payloadUrl(url), {
    headers: { accept: "application/json" },
    signal: timeLimit(signal),
    ...init,
  });
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("application/json")) {
    throw new Error(`${url.pathname} answered ${response.status} ${type}`);
  }
  const body: unknown = await response.json();
  if (!isEnvelope(body)) throw new Error(`${url.pathname} answered no page`);
  return body;
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    isRecord(value) &&
    typeof value.page === "string" &&
    typeof value.url === "string" &&
    isRecord(value.shared) &&
    isRecord(value.meta)
  );
}

const FRESH_MS = 30_000;
const MAX_ENTRIES = 32;

/** Prefetched envelopes. Each can be used once, within 30 s. */
export function createPrefetchCache(now: () => number) {
  const cached = new Map<string, { envelope: Promise<Envelope>; since: number }>();

  function fresh(href: string): Promise<Envelope> | undefined {
    const entry = cached.get(href);
    return entry && now() - entry.since < FRESH_MS ? entry.envelope : undefined;
  }

  return {
    has: (href: string) => fresh(href) !== undefined,
    put(href: string, answer: Promise<Envelope>): void {
      // What says nothing about the page (429, an error of the server) has failed, also for a click that waits for it already.
      const envelope = answer.then((fetched) => {
        if (fetched.status > 428) throw new Error(`${href} answered ${fetched.status}`);
        return fetched;
      });
      cached.delete(href);
      cached.set(href, { envelope, since: now() });
      // The click asks again.
      envelope.catch(() => cached.delete(href));
      for (const oldest of cached.keys()) if (cached.size > MAX_ENTRIES) cached.delete(oldest);
    },
    take(href: string): Promise<Envelope> | undefined {
      const envelope = fresh(href);
      cached.delete(href);
      return envelope;
    },
    clear: () => cached.clear(),
  };
}
