import { useSyncExternalStore } from "react";
import { reportError } from "./errors";
import { createAnnouncer, focusStart, fragmentTarget } from "./focus";
import { updateHead } from "./head";
import { clickedLink, isFragmentOf, isPageUrl, pathAndQuery, submittedUrl } from "./links";
import { createNavigator, type Destination } from "./navigator";
import { createPrefetchCache, fetchEnvelope } from "./payload";
import { mayFetchAhead, whenIdle, whenQuiet } from "./quiet";
import { mayReload } from "./reload";
import { enterEntry, newEntryState, restoreScroll, startScrollMemory } from "./scroll";
import { addToast } from "./toast";
import { track } from "./track";
import { loadPage, type PageTable, type View } from "./view";

export interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean;
  /** Keeps scroll position and focus: for filters and other changes within a page. */
  keepPosition?: boolean;
}

/** Null on the server and until the app is mounted. */
let go: ((destination: Destination) => Promise<void>) | null = null;

/** Path and query of the page on the screen. During back and forward navigation the address bar is ahead of it. */
let shown = "";

/** Resolves when the page is on the screen. The browser loads addresses that are not pages of the app. */
export async function navigate(href: string, options: NavigateOptions = {}): Promise<void> {
  const url = new URL(href, document.baseURI);
  const here = new URL(location.href);
  if (!go || !isPageUrl(url, here) || isFragmentOf(url, here)) {
    if (options.replace) location.replace(url);
    else location.assign(url);
    return;
  }
  const replace = options.replace || url.href === here.href;
  await go({
    url,
    movement: replace ? "replace" : "push",
    keepPosition: options.keepPosition ?? false,
  });
}

/** Fetches the current page again and shows it in place. */
export async function refresh(): Promise<void> {
  await go?.({ url: new URL(location.href), movement: "refresh", keepPosition: true });
}

/** Changes only the address; the page stays as it is. */
export function replaceUrl(href: string): void {
  const url = new URL(href, document.baseURI);
  history.replaceState(history.state, "", url);
  shown = pathAndQuery(url);
}

const watchers = new Set<() => void>();
let running = false;

/** True during a client-side navigation. */
export function useNavigating(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => running,
    () => false,
  );
}

export interface NavigationOptions {
  pages: PageTable;
  /** The page that the server rendered. */
  first: View;
  /** Shows a page; settles when it is on the screen. */
  render(view: View): Promise<void>;
}

/** Handles links, GET forms, and the history. Called once per document. */
export function startNavigation({ pages, first, render }: NavigationOptions): void {
  const { build } = first.envelope.shared;
  const prefetched = createPrefetchCache(() => performance.now());
  let outdated = () => false;
  const announce = createAnnouncer();
  let latest = first;

  shown = pathAndQuery(new URL(location.href));
  startScrollMemory();
  trackView(first);
  whenQuiet(() => {
    // Without this check, a newer build is noticed at its first response.
    import("./builds").then(
      ({ watchBuilds }) => {
        outdated = watchBuilds(build, mayFetchAhead());
      },
      () => {},
    );
  });

  const navigator = createNavigator({
    outdated: () => outdated(),
    isOurs: (envelope) => envelope.shared.build === build,
    fetchEnvelope(url, signal) {
      return prefetched.take(pathAndQuery(url)) ?? fetchEnvelope(url, { signal });
    },
    loadPage: (name) => loadPage(pages, name),
    show,
    loadFully,
    recoverChunk(destination, error) {
      reportError(error, "chunk");
      if (mayReload(destination.url.pathname)) return loadFully(destination);
      addToast({
        severity: "error",
        summary: "This page didn’t load",
        detail: "Check your connection and try again.",
      });
    },
    runningChanged(value) {
      running = value;
      for (const watcher of watchers) watcher();
    },
  });

  async function show(view: View, destination: Destination): Promise<void> {
    const { envelope } = view;
    latest = view;
    const url = new URL(envelope.url, location.origin);
    url.hash = destination.url.hash;
    shown = pathAndQuery(url);
    moveHistory(url, destination);
    updateHead(envelope);
    await render(view);
    if (latest !== view) return;
    if (destination.movement !== "refresh") announce(envelope.meta.title);
    trackView(view);
    restorePosition(url, destination);
    linksChanged();
  }

  async function prefetch(href: string): Promise<void> {
    const url = new URL(href);
    const key = pathAndQuery(url);
    // Leave the connection to a running navigation; behind the age gate there is nothing to click.
    if (running || outdated() || !latest.envelope.shared.age_verified) return;
    if (key === shown || prefetched.has(key)) return;
    const envelope = fetchEnvelope(url, { priority: "low" });
    prefetched.put(key, envelope);
    await loadPage(pages, (await envelope).page);
  }

  let linksChanged = () => {};
  whenIdle(() => {
    import("./prefetch").then(
      ({ startPrefetch }) => {
        linksChanged = startPrefetch(prefetch);
      },
      // Without it, pages are fetched only when they are visited.
      () => {},
    );
  });

  go = (destination) => {
    // Prefetched pages may be as old as the current one.
    if (destination.movement === "refresh") prefetched.clear();
    return navigator.go(destination);
  };

  document.addEventListener("click", (event) => {
    const link = clickedLink(event);
    if (!link) return;
    event.preventDefault();
    void navigate(link.href, { keepPosition: "keepPosition" in link.dataset });
  });

  document.addEventListener("submit", (event) => {
    const url = submittedUrl(event);
    if (!url) return;
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    void navigate(url.href, { keepPosition: "keepPosition" in form.dataset });
  });

  addEventListener("popstate", () => {
    const url = new URL(location.href);
    if (pathAndQuery(url) !== shown) {
      void navigator.go({ url, movement: "traverse", keepPosition: false });
      return;
    }
    // Only the fragment differs, or the visitor went back before the next page was shown.
    navigator.cancel();
    if (enterEntry()) restoreScroll();
  });
}

/** An error page can appear at any address, so it does not count as a page view. */
function trackView({ envelope: { status, url } }: View): void {
  track("page_view", { page: status === 200 ? url.replace(/\?.*/, "") : null });
}

function moveHistory(url: URL, { movement }: Destination): void {
  if (movement === "push") history.pushState(newEntryState(), "", url);
  // After a redirect or a normalization the address differs from the requested one.
  else history.replaceState(history.state, "", url);
  enterEntry();
}

function restorePosition({ hash }: URL, { movement, keepPosition }: Destination): void {
  if (keepPosition) {
    // The focused element was removed without a replacement.
    if (document.activeElement === document.body) focusStart(hash);
    return;
  }
  const target = fragmentTarget(hash);
  if (movement === "traverse") restoreScroll();
  else if (target) target.scrollIntoView({ behavior: "instant" });
  else scrollTo({ left: 0, top: 0, behavior: "instant" });
  focusStart(hash);
}

function loadFully({ url, movement }: Destination): void {
  // The browser would replace the page with its own error page.
  if (!navigator.onLine && movement !== "traverse") {
    addToast({ severity: "warn", summary: "You are offline", life: 6_000 });
    return;
  }
  // Assigning the same address, or one that differs only in its fragment, would not load anything.
  if (
    movement === "traverse" ||
    movement === "refresh" ||
    pathAndQuery(url) === pathAndQuery(new URL(location.href))
  ) {
    if (url.href !== location.href) history.replaceState(history.state, "", url);
    location.reload();
  } else if (movement === "replace") location.replace(url);
  else location.assign(url);
}
