/** The animation takes 400 ms (app/ui/ripple.css); the element is removed when it is over. */
const CLEANUP_MS = 401;

/**
 * Elements with the class `ripple` show a Material-style ripple from the point of touch. Its element is added without React,
 * because it is not part of any state.
 */
export function startRipples(): void {
  document.addEventListener("pointerdown", (event) => {
    const target = (event.target as Element).closest<HTMLElement>(".ripple");
    if (target && event.button === 0) ripple(target, event);
  });
}

function ripple(target: HTMLElement, { clientX, clientY }: PointerEvent): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = target.getBoundingClientRect();
  const size = Math.max(box.width, box.height);
  const ink = document.createElement("span");
  ink.className = "ripple-ink";
  ink.ariaHidden = "true";
  ink.style.width = ink.style.height = `${size}px`;
  ink.style.left = `${clientX - box.left - size / 2}px`;
  ink.style.top = `${clientY - box.top - size / 2}px`;
  target.append(ink);
  setTimeout(() => ink.remove(), CLEANUP_MS);
}
