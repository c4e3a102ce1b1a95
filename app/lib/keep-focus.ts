// Loaded when the page has been: keeps the focus where it is of use.

/** For as long as the document is there. */
export function keepFocus(): void {
  keepPlace();
  document.addEventListener("keydown", stayInDrawer);
}

const isLost = () => document.activeElement === document.body;

/**
 * The focus does not fall to the document: when the element that has it goes, what now stands in its place gets it, or else the
 * nearest heading. Who moves the focus by intent comes later, or has done so.
 */
function keepPlace(): void {
  let last = document.activeElement;
  document.addEventListener("focusin", ({ target }) => {
    last = target as Element;
  });
  document.addEventListener("focusout", () => {
    // Lost by a press on the page, not by what happens to the page.
    setTimeout(() => {
      if (isLost() && last?.isConnected) last = null;
    });
  });
  // A dialog gives the focus back to what has opened it, which may be gone by then.
  document.addEventListener("close", ({ target }) => focusHeading(target as Element), true);
  new MutationObserver((records) => {
    const gone = last;
    if (!gone || !isLost()) return;
    for (const { removedNodes, target, previousSibling } of records) {
      const root = [...removedNodes].find((node) => node.contains(gone));
      if (!root || !(target instanceof Element) || !target.isConnected) continue;
      const next =
        previousSibling instanceof Element
          ? previousSibling.nextElementSibling
          : target.firstElementChild;
      // What was only moved has lost the focus, too.
      focus(gone.isConnected ? gone : counterpart(gone, root, next ?? target.lastElementChild));
      // A closing dialog gives the focus back by itself.
      setTimeout(() => focusHeading(target));
      return;
    }
  }).observe(document.body, { childList: true, subtree: true });
}

/** What stands within `place` where `gone` stood within `root`, when it is of the same kind. */
function counterpart(gone: Element, root: Node, place: Element | null): Element | null {
  const steps: number[] = [];
  for (let at = gone; at !== root && at.parentElement; at = at.parentElement)
    steps.unshift([...at.parentElement.children].indexOf(at));
  const found = steps.reduce<Element | null>((at, step) => at?.children[step] ?? null, place);
  return found?.tagName === gone.tagName && found.className === gone.className ? found : null;
}

function focusHeading(from: Element): void {
  for (let at: Element | null = from; at && isLost(); at = at.parentElement) {
    for (const heading of at.querySelectorAll("h1, h2, h3")) {
      if (isLost()) focus(heading);
    }
  }
}

function focus(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Tab goes around in an open drawer, which covers the page. */
function stayInDrawer(event: KeyboardEvent): void {
  const drawer = event.key === "Tab" && document.querySelector(":popover-open");
  if (!drawer) return;
  const stops = [
    ...drawer.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), summary"),
  ].filter((each) => each.checkVisibility());
  const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
  const { activeElement } = document;
  if (activeElement !== last && drawer.contains(activeElement) && activeElement !== drawer) return;
  event.preventDefault();
  first?.focus();
}
