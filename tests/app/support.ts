import { type JsonStorage, jsonStorage } from "../../app/lib/storage";
import type { Timers } from "../../app/lib/timers";

/** A `Storage` in memory, with the JSON layer over it that the app uses. */
export function memoryStorage(): { raw: Map<string, string>; storage: JsonStorage } {
  const raw = new Map<string, string>();
  const area = {
    getItem: (key: string) => raw.get(key) ?? null,
    setItem: (key: string, value: string) => raw.set(key, value),
    removeItem: (key: string) => raw.delete(key),
  };
  return { raw, storage: jsonStorage(() => area as unknown as Storage) };
}

/** Time that passes only when told to, in steps that let every timer fire at its moment. */
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

/** A promise that the test settles. */
export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything run that only waits for settled promises. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** As `fetch` does where nothing ever answers. */
export function silence(_: unknown, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });
}

/** As `fetch` does where these statuses and bodies come in turn; a text is no JSON. */
export function answering(...answers: [number, unknown][]): typeof fetch {
  return () => {
    const [status, body] = answers.shift() ?? [500, {}];
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status }));
  };
}
