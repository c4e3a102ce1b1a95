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

/**
 * Returns what says the title of a new page to screen readers. The region is made ahead, for they follow only regions
 * that they know, and outside of the app's root, for no page owns it.
 */
export function createAnnouncer(): (text: string) => void {
  const region = document.createElement("div");
  region.className = "visually-hidden";
  region.role = "status";
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
}
