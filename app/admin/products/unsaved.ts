import { useEffect } from "react";

const QUESTION = "Leave without saving your changes?";

/** What of the Navigation API is used here: TypeScript does not know it yet. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  hashChange: boolean;
}

const navigation = () => (window as Window & { navigation?: EventTarget }).navigation;

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
    const traverse = (event: Event) => {
      const { navigationType, hashChange, cancelable } = event as NavigateEvent;
      const leaves = navigationType === "traverse" && cancelable && !hashChange;
      if (leaves && !confirm(QUESTION)) event.preventDefault();
    };
    addEventListener("beforeunload", unload);
    // Where the browser has it: elsewhere the way back is not held up.
    navigation()?.addEventListener("navigate", traverse);
    addEventListener("click", click, { capture: true });
    return () => {
      removeEventListener("beforeunload", unload);
      navigation()?.removeEventListener("navigate", traverse);
      removeEventListener("click", click, { capture: true });
    };
  }, [isDirty]);
}
