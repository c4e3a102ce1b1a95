import { useEffect } from "react";

const QUESTION = "Leave without saving your changes?";

/** Asks before what was entered is lost: by a link, by the way back, by closing the tab, by loading anew. */
export function useUnsavedGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const stays =
        !link ||
        link.getAttribute("href")?.startsWith("#") ||
        link.getAttribute("target") === "_blank";
      if (stays || event.ctrlKey || event.metaKey || event.shiftKey || confirm(QUESTION)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const { state } = history;
    const { href, pathname, search } = location;
    const back = (event: PopStateEvent) => {
      const isHere = location.pathname === pathname && location.search === search;
      if (isHere || confirm(QUESTION)) return;
      // The browser has gone already: it is brought here again, and nobody else hears of it.
      event.stopImmediatePropagation();
      history.pushState(state, "", href);
    };
    addEventListener("beforeunload", unload);
    addEventListener("popstate", back, { capture: true });
    addEventListener("click", click, { capture: true });
    return () => {
      removeEventListener("beforeunload", unload);
      removeEventListener("popstate", back, { capture: true });
      removeEventListener("click", click, { capture: true });
    };
  }, [isDirty]);
}
