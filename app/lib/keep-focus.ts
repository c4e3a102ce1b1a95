// Loaded after the page. Keeps the focus from getting lost when elements are removed, and handles open drawers.

/** Stays active for the lifetime of the document. */
export function keepFocus(): void {
  restoreLostFocus();
  document.addEventListener("keydown", trapTabInDrawer);
  document.addEventListener("pointerup", closeDrawerOnTouch);
}

const isFocusLost = () => document.activeElement === document.body;

/**
 * When the focused element is removed, moves the focus to the element that replaces it, or else to the nearest heading.
 * What replaces it may name one of its children with `data-heir`.
 * Code that moves the focus on purpose takes precedence: it runs before or after this.
 */
function restoreLostFocus(): void {
  let last = document.activeElement;
  document.addEventListener("focusin", ({ target }) => {
    last = target as Element;
  });
  document.addEventListener("focusout", () => {
    // The visitor clicked elsewhere on the page; the element was not removed.
    setTimeout(() => {
      if (isFocusLost() && last?.isConnected) last = null;
    });
  });
  // A closing dialog returns the focus to the element that opened it, which may be gone by then.
  document.addEventListener("close", ({ target }) => focusHeading(target as Element), true);
  // What is about to get the focus. It may be removed before: then what replaces it gets the focus.
  let heir: Element | null = null;
  new MutationObserver((records) => {
    const removed = heir && !heir.isConnected ? heir : last;
    if (!removed || !isFocusLost()) return;
    for (const { removedNodes, target, previousSibling } of records) {
      const root = [...removedNodes].find((node) => node.contains(removed));
      if (!root || !(target instanceof Element) || !target.isConnected) continue;
      const place =
        previousSibling instanceof Element
          ? previousSibling.nextElementSibling
          : target.firstElementChild;
      // An element that was only moved has also lost the focus.
      const next = removed.isConnected
        ? removed
        : (counterpart(removed, root, place ?? target.lastElementChild) ??
          place?.querySelector(":scope > [data-heir]") ??
          null);
      heir = next;
      // Later, because a closing dialog returns the focus itself, and because the layout that a focus needs would make the
      // task that changed the page long.
      setTimeout(() => {
        if (heir !== next) return;
        heir = null;
        if (isFocusLost()) focus(next);
        focusHeading(target);
      });
      return;
    }
  }).observe(document.body, { childList: true, subtree: true });
}

/** The element at the same position within `place` as `removed` had within `root`, if it has the same tag and class. */
function counterpart(removed: Element, root: Node, place: Element | null): Element | null {
  const steps: number[] = [];
  for (let at = removed; at !== root && at.parentElement; at = at.parentElement)
    steps.unshift([...at.parentElement.children].indexOf(at));
  const found = steps.reduce<Element | null>((at, step) => at?.children[step] ?? null, place);
  return found?.tagName === removed.tagName && found.className === removed.className ? found : null;
}

function focusHeading(from: Element): void {
  for (let at: Element | null = from; at && isFocusLost(); at = at.parentElement) {
    for (const heading of at.querySelectorAll("h1, h2, h3")) {
      if (isFocusLost()) focus(heading);
    }
  }
}

function focus(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Null in browsers without popovers, which ignore what they do not know only within `:is`. */
const openDrawer = () => document.querySelector<HTMLElement>(":is(:popover-open)");

/** Closes an open drawer when something else is touched, which Safari on iOS does itself only since version 18.3. */
function closeDrawerOnTouch({ target, pointerType }: PointerEvent): void {
  // The click on the button of a drawer closes it.
  const isOther = !(target as Element).closest(":is(:popover-open, [popovertarget])");
  if (isOther && pointerType !== "mouse") openDrawer()?.hidePopover();
}

/** Keeps Tab within an open drawer, which covers the page. */
function trapTabInDrawer(event: KeyboardEvent): void {
  const drawer = event.key === "Tab" && openDrawer();
  if (!drawer) return;
  const stops = [
    ...drawer.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), summary"),
    // Safari before 17.4 has popovers, but no `checkVisibility`.
  ].filter((each) => each.checkVisibility?.() ?? each.getClientRects().length > 0);
  const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
  const { activeElement } = document;
  if (activeElement !== last && drawer.contains(activeElement) && activeElement !== drawer) return;
  event.preventDefault();
  first?.focus();
}
