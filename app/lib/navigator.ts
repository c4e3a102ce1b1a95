import { type Timers, timers } from "./timers";
import type { Envelope } from "./types";
import { ChunkError, type PageComponent, type View } from "./view";

export interface Destination {
  url: URL;
  /** What happens to the history: a new entry, the current one replaced, an entry that the browser moved to, or nothing. */
  movement: "push" | "replace" | "traverse" | "refresh";
  /** Scroll position and focus stay as they are. */
  keepPosition: boolean;
}

/** The browser functions that a navigation needs. */
export interface NavigatorHost {
  /** True when a newer build is deployed: the page must then be loaded in full. */
  outdated(): boolean;
  /** False for a page of another build, or one that this document lacks the styles for. */
  isOurs(envelope: Envelope): boolean;
  fetchEnvelope(url: URL, signal: AbortSignal): Promise<Envelope>;
  loadPage(name: string): Promise<PageComponent>;
  /** The address of the page on the screen. */
  here(): URL;
  /** Moves the history and shows the page; settles when it is on the screen. */
  show(view: View, destination: Destination): Promise<void>;
  /** Lets the browser load the page. */
  loadFully(destination: Destination): void;
  /** Like `loadFully`, but guarded against a reload loop: a missing chunk may stay missing. */
  recoverChunk(destination: Destination, error: ChunkError): void;
  /** A navigation begins, or the last one has ended. */
  headingFor(url: URL | null): void;
}

/** How long a press waits for what is already being fetched in advance. */
const LATE_MS = 500;

/**
 * What is being fetched in advance or, when that is late or fails, what arrives first: with a low priority it may wait for
 * every picture of the page, if these hold all connections.
 */
export async function fetchedSoon<T>(
  ahead: Promise<T>,
  fetchNow: () => Promise<T>,
  { after }: Timers = timers,
): Promise<T> {
  const late = new Promise<undefined>((resolve) => after(LATE_MS, () => resolve(undefined)));
  const soon = ahead.catch(() => undefined);
  return (await Promise.race([soon, late])) ?? Promise.any([ahead, fetchNow()]);
}

/** Why a run is aborted when another document is loaded. */
const LEFT = "left";

interface Run extends Pick<Destination, "url" | "movement"> {
  abort: AbortController;
  /** Resolves with whether this document stays. */
  done: Promise<boolean>;
  /** A refresh that was asked for in the meantime. */
  next?: Promise<unknown>;
}

/**
 * Runs at most one navigation. A newer one cancels it, a repeated one joins it, a refresh waits for it, and a failed one
 * becomes a full page load. The current page stays until the next one is complete.
 */
export function createNavigator(host: NavigatorHost) {
  let current: Run | null = null;

  function setCurrent(run: Run | null): void {
    current = run;
    host.headingFor(run?.url ?? null);
  }

  function go(destination: Destination): Promise<unknown> {
    const { url, movement } = destination;
    // What runs must not be lost, and may bring data from before the change that the refresh is to show.
    if (current && movement === "refresh") {
      const { done, abort } = current;
      current.next ??= done.then(
        (stays) =>
          stays && abort.signal.reason !== LEFT && go({ ...destination, url: host.here() }),
      );
      return current.next;
    }
    // Going back or forward is never a repetition: the browser has already moved in its history.
    if (current?.url.href === url.href && movement !== "traverse") return current.done;
    current?.abort.abort();
    if (host.outdated()) {
      setCurrent(null);
      host.loadFully(destination);
      return Promise.resolve();
    }
    const abort = new AbortController();
    const run: Run = { url, movement, abort, done: Promise.resolve(true) };
    run.done = proceed(destination, run).finally(() => {
      if (current === run) setCurrent(null);
    });
    setCurrent(run);
    return run.done;
  }

  async function proceed(destination: Destination, run: Run): Promise<boolean> {
    const { signal } = run.abort;
    try {
      const envelope = await host.fetchEnvelope(destination.url, signal);
      if (signal.aborted) return true;
      if (host.isOurs(envelope)) {
        const Page = await host.loadPage(envelope.page);
        if (signal.aborted) return true;
        const url = host.here();
        // The page has changed its address meanwhile: another variant was chosen, or a fragment.
        if (destination.movement === "refresh" && url.href !== destination.url.href) {
          run.url = url;
          return proceed({ ...destination, url }, run);
        }
        await host.show({ envelope, Page }, destination);
        return true;
      }
      host.loadFully(destination);
    } catch (error) {
      if (signal.aborted) return true;
      if (error instanceof ChunkError) host.recoverChunk(destination, error);
      else host.loadFully(destination);
    }
    return false;
  }

  function end(reason?: string): void {
    current?.abort.abort(reason);
    setCurrent(null);
  }

  return {
    go,
    /** Stays on the current page, as a refresh does. */
    cancel(): void {
      if (current?.movement !== "refresh") end();
    },
    /** Another document is loaded: this one may no longer fetch or load anything. */
    leave: () => end(LEFT),
  };
}
