import { useEffect, useState } from "react";
import { clickedLink } from "../../lib/links";
import { leavesPage, submittedUrl } from "../../lib/submit";

const QUESTION = "Leave without saving your changes?";
/** `beforeunload` follows the answer at once. Later it is about something else: what was followed was a file, or failed. */
const CONSENT_MS = 1000;

/** The parts of the Navigation API used here, which TypeScript's types lack. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  hashChange: boolean;
}

/** Tell whether there is unsaved input now. */
const guards = new Set<() => boolean>();

/** When staff last consented to lose what is unsaved. */
let consented = Number.NEGATIVE_INFINITY;

const hasConsent = () => performance.now() - consented < CONSENT_MS;

/** Asks for confirmation, once per attempt to leave. */
function consents(): boolean {
  if (hasConsent()) return true;
  if (!confirm(QUESTION)) return false;
  consented = performance.now();
  return true;
}

/** Asks for confirmation if there is unsaved input. Called before a navigation that is not by a link. */
export function mayLeave(): boolean {
  return ![...guards].some((isDirty) => isDirty()) || consents();
}

const navigation = () => (window as Window & { navigation?: EventTarget }).navigation;

/**
 * Asks for confirmation before unsaved input is lost: by a link, a form such as that to sign out, back navigation, closing
 * the tab, or a reload. Safari on iOS has no `beforeunload`, so that it cannot ask before the last two.
 */
export function useUnsavedGuard(isDirty: boolean, isStillDirty: () => boolean = always): void {
  useEffect(() => {
    if (!isDirty) return;
    const mayLose = () => !isStillDirty() || consents();
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (isStillDirty() && !hasConsent()) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = clickedLink(event);
      // Sign-in opens in its own window.
      if (!link || link.pathname.startsWith("/auth/") || mayLose()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // After the handlers of the page, which send most forms themselves.
    const onSubmit = (event: SubmitEvent) => {
      if (leavesPage(event) && !submittedUrl(event) && !mayLose()) event.preventDefault();
    };
    const onNavigate = (event: Event) => {
      const { navigationType, hashChange, cancelable, defaultPrevented } = event as NavigateEvent;
      const leaves = navigationType === "traverse" && cancelable && !hashChange;
      if (leaves && !defaultPrevented && !mayLose()) event.preventDefault();
    };
    const isDirtyNow = () => isStillDirty();
    guards.add(isDirtyNow);
    addEventListener("beforeunload", onBeforeUnload);
    // Not in all browsers; without it, back navigation is not confirmed.
    navigation()?.addEventListener("navigate", onNavigate);
    addEventListener("click", onClick, { capture: true });
    addEventListener("submit", onSubmit);
    return () => {
      guards.delete(isDirtyNow);
      removeEventListener("beforeunload", onBeforeUnload);
      navigation()?.removeEventListener("navigate", onNavigate);
      removeEventListener("click", onClick, { capture: true });
      removeEventListener("submit", onSubmit);
    };
  }, [isDirty, isStillDirty]);
}

const always = () => true;

/** Forms with unsaved input, with how often something was typed into each. */
const touched = new Map<HTMLFormElement, number>();
/** Forms that were submitted, until the call that their submission makes. */
const submitted = new Set<HTMLFormElement>();

/** Whether a form still in the document has unsaved input; removed ones, such as of a closed dialog, do not count. */
function isTouched(): boolean {
  return [...touched.keys()].some((form) => form.isConnected);
}

/**
 * Called when a change is sent. Returns a function to call after the server has accepted it, which says that the submitted
 * forms are saved, unless something was typed since. A form that is refused is not: a later call is about something else.
 */
export function startSaving(): () => void {
  const sent = [...submitted].map((form) => [form, touched.get(form)] as const);
  submitted.clear();
  return () => {
    for (const [form, typed] of sent) if (touched.get(form) === typed) touched.delete(form);
  };
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
      submitted.delete(form);
      // So that removed ones do not stay in memory for as long as the area is open.
      for (const each of touched.keys()) if (!each.isConnected) touched.delete(each);
      touched.set(form, (touched.get(form) ?? 0) + 1);
      setDirty(true);
    };
    const onSubmit = ({ target }: Event) => {
      const form = guardedForm(target);
      if (form) submitted.add(form);
    };
    addEventListener("input", onInput);
    addEventListener("submit", onSubmit, { capture: true });
    return () => {
      removeEventListener("input", onInput);
      removeEventListener("submit", onSubmit, { capture: true });
      touched.clear();
      submitted.clear();
    };
  }, []);
  useUnsavedGuard(isDirty, isTouched);
}
