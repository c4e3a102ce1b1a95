// What pages use of the navigation within the document. The code that runs it is loaded when the page is idle, or at the first
// call; until then links and forms work as in a page without scripts.
import { useSyncExternalStore } from "react";
import { whenIdle } from "./quiet";
import { mayReload } from "./reload";
import {
  type ExpectedFilters,
  type NavigateOptions,
  type NavigationOptions,
  screen,
} from "./screen";
import type { Link } from "./types";

const watchers = new Set<() => void>();

/** Null on the server and until the app is mounted. */
let started: NavigationOptions | null = null;
let running: Promise<typeof import("./run-navigation") | null> | null = null;

/** Handles links, GET forms, and the history as soon as the page is idle. Called once per document. */
export function startNavigation(options: NavigationOptions): void {
  started = options;
  screen.address = location.pathname + location.search;
  whenIdle(() => void run());
}

/** Null if the code cannot be loaded: then the browser loads the pages, and the next call tries again. */
async function run(): Promise<typeof import("./run-navigation") | null> {
  const options = started;
  if (!options) return null;
  running ??= import("./run-navigation").then(
    (code) => {
      code.start(options, runningChanged);
      return code;
    },
    () => (running = null),
  );
  return running;
}

/** Resolves when the page is on the screen. The browser loads addresses that are not pages of the app. */
export async function navigate(href: string, options: NavigateOptions = {}): Promise<void> {
  const code = await run();
  if (code) await code.navigate(href, options);
  else if (options.replace) location.replace(href);
  else location.assign(href);
}

/** Fetches the current page again and shows it in place. */
export async function refresh(): Promise<void> {
  const code = await run();
  if (code) await code.refresh();
  else if (started && mayReload(location.pathname)) location.reload();
}

/** Changes only the address; the page stays as it is. */
export function replaceUrl(href: string): void {
  history.replaceState(history.state, "", new URL(href, document.baseURI));
  screen.address = location.pathname + location.search;
}

function runningChanged(expected: ExpectedFilters | null): void {
  screen.expected = expected;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** True during a navigation within the document. */
export function useNavigating(): boolean {
  return useSyncExternalStore(
    watch,
    () => screen.busy,
    () => false,
  );
}

/** The active filters of a list, with the visitor's choice as soon as it is made. */
export function useFilters(active: Link[]): Link[] {
  const expected = useSyncExternalStore(
    watch,
    () => screen.expected,
    () => null,
  );
  return expected?.before === active ? expected.after : active;
}
