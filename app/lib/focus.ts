/** Puts keyboard and screen reader where the new page begins; the document does it by itself on a full load. */
export function focusStart(hash: string): void {
  const start =
    fragmentTarget(hash) ?? document.querySelector("main h1") ?? document.getElementById("main");
  if (!(start instanceof HTMLElement)) return;
  if (!start.hasAttribute("tabindex")) start.tabIndex = -1;
  start.focus({ preventScroll: true });
}

export function fragmentTarget(hash: string): HTMLElement | null {
  if (hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

let region: HTMLElement | null = null;

/** Says the title of the new page to screen readers. The region lives outside of the app's root: no page owns it. */
export function announce(text: string): void {
  if (!region) {
    region = document.createElement("div");
    region.className = "visually-hidden";
    region.role = "status";
    document.body.append(region);
  }
  region.textContent = text;
}
