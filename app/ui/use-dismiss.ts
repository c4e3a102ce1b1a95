import { type RefObject, useEffect } from "react";

/** Closes the open `<details>` within an element on Escape and on a click elsewhere, like a menu. */
export function useDismiss(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function open(): HTMLDetailsElement | null {
      return ref.current?.querySelector<HTMLDetailsElement>("details[open]") ?? null;
    }
    function pressed(event: PointerEvent): void {
      const details = open();
      if (details && !details.contains(event.target as Node)) details.open = false;
    }
    function escaped(event: KeyboardEvent): void {
      const details = event.key === "Escape" ? open() : null;
      if (!details) return;
      if (details.contains(document.activeElement)) details.querySelector("summary")?.focus();
      details.open = false;
    }
    document.addEventListener("pointerdown", pressed);
    document.addEventListener("keydown", escaped);
    return () => {
      document.removeEventListener("pointerdown", pressed);
      document.removeEventListener("keydown", escaped);
    };
  }, [ref]);
}
