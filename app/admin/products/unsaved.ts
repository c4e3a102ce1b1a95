import { useEffect } from "react";

const QUESTION = "Leave without saving your changes?";

/** Asks before what was entered is lost: by a link, by closing the tab, by loading anew. */
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
    addEventListener("beforeunload", unload);
    addEventListener("click", click, { capture: true });
    return () => {
      removeEventListener("beforeunload", unload);
      removeEventListener("click", click, { capture: true });
    };
  }, [isDirty]);
}
