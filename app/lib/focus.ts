/** Moves the focus to the start of the new page, as the browser does on a full page load. */
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
 * Returns a function that announces a page title to screen readers. The live region must exist before its first message,
 * and it is outside of the app's root because it belongs to no page.
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
