import type { PointerEvent } from "react";

/** The animation takes 400 ms (app/ui/ripple.css); the element is removed when it is over. */
const CLEANUP_MS = 401;

/**
 * A Material-style ripple from the point of touch: `<button className="ripple" onPointerDown={ripple}>`.
 * Its element is added without React, because it is not part of any state.
 */
export function ripple(event: PointerEvent<HTMLElement>): void {
  if (event.button !== 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const target = event.currentTarget;
  const box = target.getBoundingClientRect();
  const size = Math.max(box.width, box.height);
  const ink = document.createElement("span");
  ink.className = "ripple-ink";
  ink.ariaHidden = "true";
  ink.style.width = ink.style.height = `${size}px`;
  ink.style.left = `${event.clientX - box.left - size / 2}px`;
  ink.style.top = `${event.clientY - box.top - size / 2}px`;
  target.append(ink);
  setTimeout(() => ink.remove(), CLEANUP_MS);
}
