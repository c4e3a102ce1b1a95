import { type RefObject, useEffect } from "react";

/** Closes the open `<details>` within an element on Escape and on a click elsewhere, like a menu. */
export function useDismiss(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function openDetails(): HTMLDetailsElement | null {
      return ref.current?.querySelector<HTMLDetailsElement>("details[open]") ?? null;
    }
    function onPointerDown(event: PointerEvent): void {
      const details = openDetails();
      if (details && !details.contains(event.target as Node)) details.open = false;
    }
    function onKeyDown(event: KeyboardEvent): void {
      const details = event.key === "Escape" ? openDetails() : null;
      if (!details) return;
      if (details.contains(document.activeElement)) details.querySelector("summary")?.focus();
      details.open = false;
    }
    document.addEventListener("pointerdown", onPointerDown);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [ref]);
}
