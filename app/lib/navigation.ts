import { useSyncExternalStore } from "react";
import { reportError } from "./errors";
import { createAnnouncer, focusStart, fragmentTarget } from "./focus";
import { updateHead } from "./head";
import { clickedLink, isFragmentOf, isPageUrl, pathAndQuery, submittedUrl } from "./links";
import { createNavigator, type Destination } from "./navigator";
import { createShelf, fetchEnvelope } from "./payload";
import { affordable, whenIdle, whenQuiet } from "./quiet";
import { mayReload } from "./reload";
import { enterEntry, newEntryState, restoreScroll, startScrollMemory } from "./scroll";
import { addToast } from "./toast";
import { track } from "./track";
import { loadPage, type PageTable, type View } from "./view";

export interface NavigateOptions {
  /** Takes the place of the current history entry. */
  replace?: boolean;
  /** Leaves scroll position and focus as they are: for filters and other changes within a page. */
  keepPosition?: boolean;
}

/** Null on the server and until the app is mounted. */
let go: ((destination: Destination) => Promise<void>) | null = null;

/** Path and query of the page on the screen. While the browser goes back or forward the address is ahead of it. */
let shown = "";

/** Resolves when the page is on the screen. What is no page of the shop is loaded by the browser. */
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

/** Asks the server again for the page that is shown, and shows the answer in place. */
export async function refresh(): Promise<void> {
  await go?.({ url: new URL(location.href), movement: "refresh", keepPosition: true });
}

/** Changes the address only; the page stays as it is. */
export function replaceUrl(href: string): void {
  const url = new URL(href, document.baseURI);
  history.replaceState(history.state, "", url);
  shown = pathAndQuery(url);
}

const watchers = new Set<() => void>();
let running = false;

/** True while a client navigation is on its way. */
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
  /** The page that the server has rendered. */
  first: View;
  /** Puts a page on the screen; settles when it is there. */
  render(view: View): Promise<void>;
}

/** Takes over links, GET forms and the history. Once per document. */
export function startNavigation({ pages, first, render }: NavigationOptions): void {
  const { build } = first.envelope.shared;
  const shelf = createShelf(() => performance.now());
  let outdated = () => false;
  const announce = createAnnouncer();
  let latest = first;

  shown = pathAndQuery(new URL(location.href));
  startScrollMemory();
  viewed(first);
  whenQuiet(() => {
    // Without it a newer build shows itself by its first answer.
    import("./builds").then(
      ({ watchBuilds }) => {
        outdated = watchBuilds(build, affordable());
      },
      () => {},
    );
  });

  const navigator = createNavigator({
    outdated: () => outdated(),
    isOurs: (envelope) => envelope.shared.build === build,
    fetchEnvelope(url, signal) {
      return shelf.take(pathAndQuery(url)) ?? fetchEnvelope(url, { signal });
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
    viewed(view);
    placeReader(url, destination);
    linksChanged();
  }

  async function prefetch(href: string): Promise<void> {
    const url = new URL(href);
    const key = pathAndQuery(url);
    // A navigation that runs has the connection for itself; behind the age gate there is nothing to click.
    if (running || outdated() || !latest.envelope.shared.age_verified) return;
    if (key === shown || shelf.has(key)) return;
    const envelope = fetchEnvelope(url, { priority: "low" });
    shelf.put(key, envelope);
    await loadPage(pages, (await envelope).page);
  }

  let linksChanged = () => {};
  whenIdle(() => {
    import("./prefetch").then(
      ({ startPrefetch }) => {
        linksChanged = startPrefetch(prefetch);
      },
      // Without it each page is fetched when it is asked for.
      () => {},
    );
  });

  go = (destination) => {
    // What was fetched ahead may be as old as what is shown.
    if (destination.movement === "refresh") shelf.clear();
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
    // Only the fragment differs, or the reader is back on the page before the next one was there.
    navigator.cancel();
    if (enterEntry()) restoreScroll();
  });
}

/** An error page stands at any address: it is no page that somebody viewed. */
function viewed({ envelope: { status, url } }: View): void {
  track("page_view", { page: status === 200 ? url.replace(/\?.*/, "") : null });
}

function moveHistory(url: URL, { movement }: Destination): void {
  if (movement === "push") history.pushState(newEntryState(), "", url);
  // After a redirect or a normalization the entry has another address than was asked for.
  else history.replaceState(history.state, "", url);
  enterEntry();
}

function placeReader({ hash }: URL, { movement, keepPosition }: Destination): void {
  if (keepPosition) {
    // Nothing stands in the place of what had the focus.
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
  // The browser would put an error of its own in the place of the page.
  if (!navigator.onLine && movement !== "traverse") {
    addToast({ severity: "warn", summary: "You are offline", life: 6_000 });
    return;
  }
  // Assigning an address that differs in nothing or only in its fragment would load nothing.
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
