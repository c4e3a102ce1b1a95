// Loaded by `navigation.ts`.
import { reportError } from "./errors";
import { createAnnouncer, focusStart, fragmentTarget } from "./focus";
import { updateHead } from "./head";
import { clickedLink, isFragmentOf, isPageUrl, pageLink, pathAndQuery } from "./links";
import { choiceOf, expectedFilters, withBoth, withSteadyFacets } from "./list-steps";
import { createNavigator, type Destination, fetchedSoon } from "./navigator";
import { painted } from "./paint";
import { createPrefetchCache, fetchEnvelope } from "./payload";
import { mayFetchAhead, startPrefetch } from "./prefetch";
import { whenQuiet } from "./quiet";
import { mayReload } from "./reload";
import {
  type ExpectedFilters,
  type NavigateOptions,
  type NavigationOptions,
  screen,
} from "./screen";
import {
  enterEntry,
  newEntryState,
  restoreScroll,
  startScrollMemory,
  storePosition,
} from "./scroll";
import { leavesPage, submittedUrl } from "./submit";
import { addToast } from "./toast";
import { track } from "./track";
import { loadPage, type View } from "./view";

const isAdmin = (page: string) => page.startsWith("admin/");

// Set at the start.
let go: (destination: Destination) => Promise<unknown>;
let leave: () => void;

export async function navigate(href: string, options: NavigateOptions): Promise<void> {
  const url = new URL(href, document.baseURI);
  const here = new URL(location.href);
  const leaves = !isPageUrl(url, here);
  if (leaves || isFragmentOf(url, here)) {
    if (leaves) leave();
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

export async function refresh(): Promise<void> {
  await go({ url: new URL(location.href), movement: "refresh", keepPosition: true });
}

/** Handles links, GET forms, and the history. Called once per document. */
export function start(
  { pages, first, render, prepare }: NavigationOptions,
  runningChanged: (expected: ExpectedFilters | null) => void,
): void {
  const { build } = first.envelope.shared;
  const prefetched = createPrefetchCache(() => performance.now());
  screen.forgetPrefetched = prefetched.clear;
  let outdated = () => false;
  const announce = createAnnouncer();
  let latest = first;
  /** The page on the screen, for which its links were made; `latest` may still be rendered. */
  let shown = first;
  /** Where a navigation that has not ended leads. */
  let heading: URL | null = null;

  // Early; a navigation that needs it tries again.
  prepare().catch(() => {});
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
    // An error page below `/admin` has not the style sheet of the area.
    isOurs: ({ page, shared }) =>
      shared.build === build && (!isAdmin(page) || isAdmin(first.envelope.page)),
    async fetchEnvelope(url, signal) {
      // If it is there already, the press is answered before the next page is rendered.
      const pressed = painted();
      const fetchNow = () => fetchEnvelope(url, { signal });
      const ahead = prefetched.take(pathAndQuery(url));
      const envelope = await (ahead ? fetchedSoon(ahead, fetchNow) : fetchNow());
      await pressed;
      return envelope;
    },
    async loadPage(name) {
      const isSame = name === latest.envelope.page;
      const [Page] = await Promise.all([loadPage(pages, name), isSame || prepare()]);
      return Page;
    },
    here: () => new URL(location.href),
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
    headingFor(url) {
      heading = url;
      screen.busy = url !== null;
      // Firefox fails the requests of a page that is left for another document. Only now: a listener may keep pages from its cache.
      if (url) addEventListener("beforeunload", leave);
      else removeEventListener("beforeunload", leave);
      if (!url) return runningChanged(null);
      // The frame that answers the press has no more to do than to show that it was pressed.
      void painted().then(() => {
        if (heading === url) runningChanged(expectedFilters(latest.envelope, url));
      });
    },
  });

  async function show({ Page, ...next }: View, destination: Destination): Promise<void> {
    const envelope = withSteadyFacets(latest.envelope, next.envelope);
    const view = { envelope, Page };
    latest = view;
    const url = new URL(envelope.url, location.origin);
    url.hash = destination.url.hash;
    screen.address = pathAndQuery(url);
    moveHistory(url, destination);
    if (envelope.meta) updateHead(envelope.meta);
    await render(view);
    shown = view;
    if (latest !== view) return;
    if (destination.movement !== "refresh") announce(document.title);
    if (!destination.keepPosition) closeMenu();
    trackView(view);
    restorePosition(url, destination);
    linksChanged();
  }

  async function prefetch(href: string): Promise<void> {
    const url = new URL(href);
    const key = pathAndQuery(url);
    // Leave the connection to a running navigation; behind the age gate there is nothing to click.
    if (screen.busy || outdated() || !latest.envelope.shared.age_verified) return;
    if (key === screen.address || prefetched.has(key)) return;
    const envelope = fetchEnvelope(url, { priority: "low" });
    prefetched.put(key, envelope);
    await loadPage(pages, (await envelope).page);
  }

  const linksChanged = startPrefetch(prefetch);

  go = (destination) => {
    // Prefetched pages may be as old as the current one.
    if (destination.movement === "refresh") prefetched.clear();
    return navigator.go(destination);
  };
  leave = navigator.leave;

  // After all other handlers. What is left to the browser ends a navigation: Safari fails its requests, like Firefox, but has
  // no `beforeunload` on iOS.
  addEventListener("click", (event) => {
    const link = clickedLink(event);
    if (!link) return;
    if (!pageLink(link)) return leave();
    event.preventDefault();
    follow(link, new URL(link.href), link.closest("[data-keep-position]") !== null);
  });

  addEventListener("submit", (event) => {
    if (!leavesPage(event)) return;
    const url = submittedUrl(event);
    if (!url) return leave();
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    follow(form, url, "keepPosition" in form.dataset);
  });

  /** A choice in a list counts beside the one before it, if that is not answered yet. */
  function follow(control: Element, url: URL, keepPosition: boolean): void {
    const to = keepPosition ? withBoth(shown.envelope, heading, url, choiceOf(control)) : url;
    void navigate(to.href, { keepPosition });
  }

  /** Whether the browser has moved to another page in its history; shows that page. */
  function followHistory(): boolean {
    const url = new URL(location.href);
    const moved = pathAndQuery(url) !== screen.address;
    if (moved) void navigator.go({ url, movement: "traverse", keepPosition: false });
    return moved;
  }

  addEventListener("popstate", () => {
    if (followHistory()) return;
    // Only the fragment differs, or the visitor went back before the next page was shown.
    navigator.cancel();
    if (enterEntry()) restoreScroll();
  });
  // The visitor may have gone back before this code was loaded.
  followHistory();
}

/** A new page starts with a closed menu. */
function closeMenu(): void {
  const menu = document.getElementById("menu");
  // Older browsers have no popovers.
  menu?.hidePopover?.();
  for (const panel of menu?.querySelectorAll("details") ?? []) panel.open = false;
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
    // Later, because the layout that both need would make the task that changed the page long.
    setTimeout(() => {
      storePosition();
      // The focused element was removed without a replacement.
      if (document.activeElement === document.body) focusStart(hash);
    });
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
    if (movement !== "refresh" && url.href !== location.href)
      history.replaceState(history.state, "", url);
    location.reload();
  } else if (movement === "replace") location.replace(url);
  else location.assign(url);
}
