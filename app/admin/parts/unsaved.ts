import { useEffect, useState } from "react";

const QUESTION = "Leave without saving your changes?";

/** The parts of the Navigation API used here, which TypeScript's types lack. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  hashChange: boolean;
}

/** Tell whether there is unsaved input now. */
const guards = new Set<() => boolean>();

/** Asks for confirmation if there is unsaved input. Called before a navigation that is not by a link. */
export function mayLeave(): boolean {
  return ![...guards].some((isDirty) => isDirty()) || confirm(QUESTION);
}

const navigation = () => (window as Window & { navigation?: EventTarget }).navigation;

/** Asks for confirmation before unsaved input is lost: by a link, back navigation, closing the tab, or a reload. */
export function useUnsavedGuard(isDirty: boolean, isStillDirty: () => boolean = always): void {
  useEffect(() => {
    if (!isDirty) return;
    const mayLose = () => !isStillDirty() || confirm(QUESTION);
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (isStillDirty()) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const stays =
        !link ||
        link.getAttribute("href")?.startsWith("#") ||
        link.getAttribute("target") === "_blank" ||
        link.hasAttribute("download") ||
        // Sign-in opens in its own window. If it cannot, the page is left and `beforeunload` asks.
        link.getAttribute("href")?.startsWith("/auth/");
      if (stays || event.ctrlKey || event.metaKey || event.shiftKey || mayLose()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onNavigate = (event: Event) => {
      const { navigationType, hashChange, cancelable } = event as NavigateEvent;
      const leaves = navigationType === "traverse" && cancelable && !hashChange;
      if (leaves && !mayLose()) event.preventDefault();
    };
    const isDirtyNow = () => isStillDirty();
    guards.add(isDirtyNow);
    addEventListener("beforeunload", onBeforeUnload);
    // Not in all browsers; without it, back navigation is not confirmed.
    navigation()?.addEventListener("navigate", onNavigate);
    addEventListener("click", onClick, { capture: true });
    return () => {
      guards.delete(isDirtyNow);
      removeEventListener("beforeunload", onBeforeUnload);
      navigation()?.removeEventListener("navigate", onNavigate);
      removeEventListener("click", onClick, { capture: true });
    };
  }, [isDirty, isStillDirty]);
}

const always = () => true;

/** Forms with input since they were last submitted. */
const touched = new Set<HTMLFormElement>();
/** Submitted forms that the server has not accepted yet. */
const sent = new Set<HTMLFormElement>();

/** Whether a form still in the document has unsaved input; removed ones, such as of a closed dialog, do not count. */
function isTouched(): boolean {
  return [...touched].some((form) => form.isConnected);
}

/** Called after the server has accepted a change. */
export function markFormsSaved(): void {
  for (const form of sent) touched.delete(form);
  sent.clear();
}

/** Guards every form of the page with unsaved input. Forms with an `action`, such as a list's filters, are exempt. */
export function useUnsavedForms(): void {
  const [isDirty, setDirty] = useState(false);
  useEffect(() => {
    const guardedForm = (target: EventTarget | null) =>
      target instanceof Element ? target.closest<HTMLFormElement>("form:not([action])") : null;
    const onInput = ({ target }: Event) => {
      const form = guardedForm(target);
      if (!form) return;
      sent.delete(form);
      touched.add(form);
      setDirty(true);
    };
    const onSubmit = ({ target }: Event) => {
      const form = guardedForm(target);
      if (form) sent.add(form);
    };
    addEventListener("input", onInput);
    addEventListener("submit", onSubmit, { capture: true });
    return () => {
      removeEventListener("input", onInput);
      removeEventListener("submit", onSubmit, { capture: true });
      touched.clear();
      sent.clear();
    };
  }, []);
  useUnsavedGuard(isDirty, isTouched);
}
