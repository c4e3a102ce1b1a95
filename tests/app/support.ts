import { ApiError } from "../../app/lib/api";
import { type JsonStorage, jsonStorage } from "../../app/lib/storage";
import type { Timers } from "../../app/lib/timers";
import type { CartLine } from "../../app/lib/types";

/** A line of a cart, as the server sends it. */
export const cartLine = (id: string, qty = 1, saved = false): CartLine => ({
  id,
  qty,
  saved,
  price: 500,
  title: id,
  variant: "",
  sku: id,
  href: "/",
  picture: { src: "/p", alt: "", width: 1, height: 1 },
  max_quantity: 9,
  compare_at_price: null,
  availability: "in_stock",
});

/** The server's answer to a change that it refuses with this code. */
export const refusal = (code: string) =>
  new ApiError(409, {
    type: "about:blank",
    title: "",
    status: 409,
    detail: "",
    code,
    errors: {},
    request_id: null,
  });

/** A `Storage` in memory, wrapped in the app's JSON layer. */
export function memoryStorage(): { raw: Map<string, string>; storage: JsonStorage } {
  const raw = new Map<string, string>();
  const area = {
    getItem: (key: string) => raw.get(key) ?? null,
    setItem: (key: string, value: string) => raw.set(key, value),
    removeItem: (key: string) => raw.delete(key),
  };
  return { raw, storage: jsonStorage(() => area as unknown as Storage) };
}

class Area {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

/** Defines the web storage of a browser, for code that reads it itself. */
export function defineStorage(): { local: Area; session: Area } {
  const areas = { local: new Area(), session: new Area() };
  for (const name of ["local", "session"] as const)
    Object.defineProperty(globalThis, `${name}Storage`, { value: areas[name], configurable: true });
  return areas;
}

/** A clock that tests advance; every timer fires at its exact time. */
export function manualTimers(): Timers & { advance(ms: number): void } {
  let now = 0;
  let pending: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      pending.push(timer);
      return () => {
        pending = pending.filter((each) => each !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = pending.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        pending = pending.filter((each) => each !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}

/** A promise that the test settles itself. */
export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Runs everything that waits only for settled promises. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** A `fetch` that never responds. */
export function silence(_: unknown, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });
}

/** A `fetch` that responds with these statuses and bodies in turn; a string body is not JSON. */
export function answering(...answers: [number, unknown][]): typeof fetch {
  return () => {
    const [status, body] = answers.shift() ?? [500, {}];
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status }));
  };
}
