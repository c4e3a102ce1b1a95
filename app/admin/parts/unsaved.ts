import { useEffect, useState } from "react";

const QUESTION = "Leave without saving your changes?";

/** What of the Navigation API is used here: TypeScript does not know it yet. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  hashChange: boolean;
}

const navigation = () => (window as Window & { navigation?: EventTarget }).navigation;

/** Asks before what was entered is lost: by a link, by the way back, by closing the tab, by loading anew. */
export function useUnsavedGuard(isDirty: boolean, stillIs: () => boolean = always): void {
  useEffect(() => {
    if (!isDirty) return;
    const mayLeave = () => !stillIs() || confirm(QUESTION);
    const unload = (event: BeforeUnloadEvent) => {
      if (stillIs()) event.preventDefault();
    };
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const stays =
        !link ||
        link.getAttribute("href")?.startsWith("#") ||
        link.getAttribute("target") === "_blank" ||
        link.hasAttribute("download") ||
        // Somebody signs in in a window of its own; without one the page is left, and its unloading asks.
        link.getAttribute("href")?.startsWith("/auth/");
      if (stays || event.ctrlKey || event.metaKey || event.shiftKey || mayLeave()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const traverse = (event: Event) => {
      const { navigationType, hashChange, cancelable } = event as NavigateEvent;
      const leaves = navigationType === "traverse" && cancelable && !hashChange;
      if (leaves && !mayLeave()) event.preventDefault();
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
  }, [isDirty, stillIs]);
}

const always = () => true;

/** Forms that somebody has typed into since they were sent last. */
const touched = new Set<HTMLFormElement>();
/** Forms of which nobody knows yet whether the server takes them. */
const sent = new Set<HTMLFormElement>();

/** A form that is gone with its dialog or its page holds nothing any more. */
function isTouched(): boolean {
  return [...touched].some((form) => form.isConnected);
}

/** The server has taken what was sent. */
export function saved(): void {
  for (const form of sent) touched.delete(form);
  sent.clear();
}

/** Guards every form of the page that holds typed work. One that asks for another page (a list's, by GET) holds none. */
export function useUnsavedForms(): void {
  const [isDirty, setDirty] = useState(false);
  useEffect(() => {
    const holdsWork = (target: EventTarget | null) =>
      target instanceof Element ? target.closest<HTMLFormElement>("form:not([action])") : null;
    const type = ({ target }: Event) => {
      const form = holdsWork(target);
      if (!form) return;
      sent.delete(form);
      touched.add(form);
      setDirty(true);
    };
    const submit = ({ target }: Event) => {
      const form = holdsWork(target);
      if (form) sent.add(form);
    };
    addEventListener("input", type);
    addEventListener("submit", submit, { capture: true });
    return () => {
      removeEventListener("input", type);
      removeEventListener("submit", submit, { capture: true });
      touched.clear();
      sent.clear();
    };
  }, []);
  useUnsavedGuard(isDirty, isTouched);
}
