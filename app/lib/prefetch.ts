import { pageLink, pathAndQuery } from "./links";
import { whenQuiet } from "./quiet";

const LIMIT = 4;
/** How many links in view are prefetched per page, because they might be clicked. */
const MAX_GUESSES = 6;
/** How long a pointer must rest on a link to count as intent. */
const INTENT_MS = 100;
/** A finger that scrolls the page leaves the link earlier. */
const TOUCH_MS = 40;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** False on a metered or very slow connection, where nothing should be fetched in advance. */
export function mayFetchAhead(
  { connection }: { connection?: Connection | undefined } = navigator as object,
): boolean {
  return !connection?.saveData && !connection?.effectiveType?.endsWith("2g");
}

/** Runs at most 4 prefetches at a time, and no more than 6 that are guesses; urgent ones go first. */
export function createPrefetchQueue(run: (href: string) => Promise<unknown>) {
  const waiting = new Set<string>();
  const running = new Set<string>();
  const guesses = new Set<string>();

  function pump(): void {
    for (const href of waiting) {
      if (running.size >= LIMIT) return;
      start(href);
    }
  }

  function start(href: string): void {
    waiting.delete(href);
    running.add(href);
    // A failed prefetch does no harm: the click fetches again.
    const done = () => {
      running.delete(href);
      pump();
    };
    run(href).then(done, done);
  }

  return {
    add(href: string, urgent = false): void {
      if (running.has(href)) return;
      if (urgent) {
        const others = [...waiting];
        waiting.clear();
        for (const each of [href, ...others]) waiting.add(each);
      } else if (!guesses.has(href) && guesses.size < MAX_GUESSES) {
        guesses.add(href);
        waiting.add(href);
      }
      pump();
    },
    /** Takes back a guess that has not started. */
    drop(href: string): void {
      if (waiting.delete(href)) guesses.delete(href);
    },
    /** For a new page. */
    clear(): void {
      waiting.clear();
      guesses.clear();
    },
  };
}

/**
 * Prefetches links on intent (hover, focus, touch), and the first links of the content that are in view once the page is
 * idle. In the admin area only intent counts: its lists are long, and their records change.
 * Returns a function to call when the page has changed.
 */
export function startPrefetch(prefetch: (href: string) => Promise<unknown>): () => void {
  if (!mayFetchAhead()) return () => {};
  const queue = createPrefetchQueue(prefetch);

  followIntent((href) => queue.add(href, true));

  // Several links may lead to the same page: in the menu, the text, and the footer.
  const seen = new Set<HTMLAnchorElement>();
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = target as HTMLAnchorElement;
      if (isIntersecting) {
        seen.add(link);
        queue.add(link.href);
      } else {
        seen.delete(link);
        if (![...seen].some(({ href }) => href === link.href)) queue.drop(link.href);
      }
    }
  });
  let quiet = false;
  function observe(): void {
    if (!quiet) return;
    queue.clear();
    inView.disconnect();
    seen.clear();
    if (location.pathname.startsWith("/admin/")) return;
    for (const element of document.querySelectorAll("main a[href]")) {
      const link = pageLink(element);
      // Links with a query are filters and pages of a list: there are too many, and they are rarely followed.
      if (link && link.search === "") inView.observe(link);
    }
  }
  whenQuiet(() => {
    quiet = true;
    observe();
  });
  return observe;
}

function followIntent(onIntent: (href: string) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hovered: HTMLAnchorElement | null = null;
  function schedule(target: EventTarget | null, ms = INTENT_MS): void {
    const link = pageLink(target);
    // Moving within the same link is not new intent.
    if (link === hovered) return;
    hovered = link;
    clearTimeout(timer);
    if (link && !isHere(link)) timer = setTimeout(() => onIntent(link.href), ms);
  }
  // The pointer may have been on a link before this code was loaded.
  schedule(document.querySelector("a:hover"));
  document.addEventListener("pointerover", ({ target, pointerType }) =>
    schedule(target, pointerType === "touch" ? TOUCH_MS : INTENT_MS),
  );
  // The finger scrolls.
  document.addEventListener("pointercancel", () => schedule(null));
  document.addEventListener("focusin", ({ target }) => schedule(target));
}

function isHere(link: HTMLAnchorElement): boolean {
  return pathAndQuery(new URL(link.href)) === pathAndQuery(new URL(location.href));
}
