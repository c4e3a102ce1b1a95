import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { forgetVerified, wasVerified } from "../lib/age-mirror";
import { followOtherTabs, mayHaveCart, resyncCart, SYNC_KEY, watchCart } from "../lib/cart";
import { replayEarly, stopEarly } from "../lib/early";
import { addErrorHook, errorText, isCrawler, isFatal } from "../lib/errors";
import { clickedSignIn } from "../lib/links";
import { refresh, startNavigation } from "../lib/navigation";
import { whenIdle } from "../lib/quiet";
import { SIGNUP_FLOW_KEY } from "../lib/signup-key";
import { isRecord, local } from "../lib/storage";
import { addToast } from "../lib/toast";
import type { ErrorPage, Shared } from "../lib/types";
import { loadPage, type PageTable, type View } from "../lib/view";
import { App } from "./app";
import { ErrorBoundary } from "./error-boundary";

interface Props {
  pages: PageTable;
  first: View;
  /** The server-rendered HTML; crawlers keep it when the app fails. */
  html: string;
}

/** The app in the browser: the current page, or the error page if it fails. */
export function Root({ pages, first, html }: Props) {
  const [view, setView] = useState(first);
  const committed = useCommitted(view);

  const render = useCallback(
    (next: View) => {
      startTransition(() => setView(next));
      return committed(next);
    },
    [committed],
  );
  useEffect(() => startNavigation({ pages, first, render }), [pages, first, render]);
  useEffect(followOtherTabs, []);
  useEffect(followSignInLinks, []);
  useEffect(loadKeepFocus, []);
  useEffect(blockDisabledClicks, []);
  useEffect(() => addErrorHook((error, kind) => isFatal(error, kind) && showErrorPage(error)));
  useAgeSync(view.envelope.shared.age_verified);
  useSignInEffects(view.envelope.shared);
  // A layout effect, because passive effects may run after the next event, which React already handles.
  useLayoutEffect(stopEarly, []);
  // The last effect, so that all event handlers of the page are attached.
  useEffect(() => void replayEarly(), []);

  function showErrorPage(error: unknown): void {
    if (isCrawler(navigator.userAgent) || view.envelope.page === "errors/error") return;
    const props: ErrorPage = { status: 500, message: errorText(error) };
    const envelope = { ...view.envelope, page: "errors/error", status: 500, props };
    loadPage(pages, envelope.page).then(
      (Page) => setView({ envelope, Page }),
      // The plain fallback stays.
      () => {},
    );
  }

  function fallback(error: unknown) {
    return isCrawler(navigator.userAgent) ? (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML that the server rendered for this element.
      <div dangerouslySetInnerHTML={{ __html: html }} />
    ) : (
      <main id="main">
        <h1>Internal Server Error</h1>
        <p>{errorText(error)}</p>
      </main>
    );
  }

  return (
    <ErrorBoundary view={view} onError={showErrorPage} fallback={fallback}>
      <App envelope={view.envelope} Page={view.Page} />
    </ErrorBoundary>
  );
}

const acceptAny = (_: unknown): _ is unknown => true;

/** Shows the notice after a sign-in, finishes a pending sign-up, and keeps the cart in sync. */
function useSignInEffects({ user, notice }: Shared): void {
  useEffect(() => {
    if (notice) addToast({ ...notice, life: 8_000 });
    if (local.read(SIGNUP_FLOW_KEY, acceptAny)) {
      void import("./sign-in").then(({ finishSignup }) => finishSignup(user, notice !== null));
    }
  }, [notice, user]);

  // After a sign-out, `follow` removes the account's cart from this browser.
  const sub = user?.sub;
  useEffect(() => {
    // Offline the code cannot be loaded; the next change or page load tries again.
    function syncCart(): void {
      if (!navigator.onLine) return;
      import("../cart/follow").then(
        ({ follow }) => follow(sub),
        // Without it the cart is only in this browser.
        () => {},
      );
    }
    if (sub || local.read(SYNC_KEY, isRecord) || mayHaveCart()) syncCart();
    return watchCart(syncCart);
  }, [sub]);
}

/** Handles links to sign-in; the code is loaded at the first click. */
function followSignInLinks(): void {
  document.addEventListener("click", (event) => {
    const href = clickedSignIn(event);
    if (!href) return;
    event.preventDefault();
    import("./sign-in").then(({ follow }) => follow(href)).catch(() => location.assign(href));
  });
}

/** Loaded when idle: it is needed only when something on the page changes. */
function loadKeepFocus(): void {
  whenIdle(() => {
    import("../lib/keep-focus").then(
      ({ keepFocus }) => keepFocus(),
      // Without it the browser's default focus behavior applies.
      () => {},
    );
  });
}

/** Busy buttons are `aria-disabled`, not `disabled`, so that they keep the focus. This blocks their clicks. */
function blockDisabledClicks(): void {
  document.addEventListener(
    "click",
    (event) => {
      if (!(event.target as Element).closest("[aria-disabled=true]")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

/** Returns a function whose promise settles when React has committed the given view, or a later one, to the document. */
function useCommitted(view: View): (next: View) => Promise<void> {
  const waiting = useRef<{ view: View; settle: () => void }[]>([]);
  useLayoutEffect(() => {
    const at = waiting.current.findIndex((each) => each.view === view);
    for (const each of waiting.current.splice(0, at + 1)) each.settle();
  }, [view]);
  return useCallback((next) => {
    return new Promise<void>((settle) => waiting.current.push({ view: next, settle }));
  }, []);
}

/**
 * Only the server opens the age gate. Local storage tells when to ask it again: another tab was verified, the document
 * comes from a cache, or the 24 hours have passed.
 */
function useAgeSync(verified: boolean): void {
  const latest = useRef(verified);
  useLayoutEffect(() => {
    latest.current = verified;
  }, [verified]);

  useEffect(() => {
    async function openGateIfVerified(): Promise<void> {
      if (latest.current || !wasVerified()) return;
      await refresh();
      if (!latest.current) forgetVerified();
    }
    function onPageShow(event: PageTransitionEvent): void {
      if (!event.persisted) return;
      resyncCart();
      if (latest.current && !wasVerified()) void refresh();
      else void openGateIfVerified();
    }
    void openGateIfVerified();
    addEventListener("storage", openGateIfVerified);
    addEventListener("pageshow", onPageShow);
    return () => {
      removeEventListener("storage", openGateIfVerified);
      removeEventListener("pageshow", onPageShow);
    };
  }, []);
}
