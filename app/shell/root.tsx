import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { replayEarly, stopEarly } from "../lib/early";
import { addErrorHook, type ErrorKind, errorText, isCrawler } from "../lib/errors";
import { startNavigation } from "../lib/navigation";
import { whenIdle } from "../lib/quiet";
import { addToast } from "../lib/toast";
import { trusted } from "../lib/trusted";
import type { Shared } from "../lib/types";
import type { PageTable, View } from "../lib/view";
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
  const [view, render] = useView(first);
  useEffect(() => startNavigation({ pages, first, render, prepare }), [pages, first, render]);
  useEffect(blockDisabledClicks, []);
  useEffect(() => addErrorHook(showErrorPage));
  useBackground(view.envelope.shared);
  // A layout effect, because passive effects may run after the next event, which React already handles.
  useLayoutEffect(stopEarly, []);
  // The last effect, so that all event handlers of the page are attached.
  useEffect(() => void replayEarly(), []);

  /** Without a kind the error comes from rendering. */
  function showErrorPage(error: unknown, kind?: ErrorKind): void {
    errorCode()
      .then(({ errorView }) => errorView(error, kind, view, pages))
      // It may take the place of a view that React has not committed: then the navigation to that one ends, too.
      .then((next) => next && prepare().then(() => render(next)))
      // The plain fallback stays.
      .catch(() => {});
  }

  function fallback(error: unknown) {
    return isCrawler(navigator.userAgent) ? (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML that the server rendered for this element.
      <div dangerouslySetInnerHTML={{ __html: trusted.createHTML(html) }} />
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

/** What only errors need. */
export const errorCode = () => import("../lib/error-report");

const prepare = () => import("./page-styles").then(({ loadStyles }) => loadStyles());

/** Shows the notice, and loads and runs the code that does not have to be ready at once. */
function useBackground({ notice, user }: Shared): void {
  const [code, setCode] = useState<typeof import("./background") | null>(null);
  useEffect(() => {
    whenIdle(() => {
      // Without it the browser follows links to sign-in, and the cart is only in this browser.
      import("./background").then(setCode, () => {});
    });
  }, []);
  useEffect(() => code?.start(), [code]);
  // Not with that code, which may come when the visitor is gone: no other page has it.
  useEffect(() => {
    if (notice) addToast({ ...notice, life: 8_000 });
  }, [notice]);
  useEffect(() => code?.signedIn(user, notice), [code, user, notice]);
  const sub = user?.sub;
  useEffect(() => code?.syncCart(sub), [code, sub]);
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

/** The current view, and a function whose promise settles when React has committed the given view, or a later one. */
function useView(first: View): [View, (next: View) => Promise<void>] {
  const [view, setView] = useState(first);
  const waiting = useRef<{ view: View; settle: () => void }[]>([]);
  useLayoutEffect(() => {
    const at = waiting.current.findIndex((each) => each.view === view);
    for (const each of waiting.current.splice(0, at + 1)) each.settle();
  }, [view]);
  const render = useCallback((next: View) => {
    startTransition(() => setView(next));
    return new Promise<void>((settle) => waiting.current.push({ view: next, settle }));
  }, []);
  return [view, render];
}
