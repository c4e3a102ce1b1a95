import { isPlain } from "./click";

/**
 * Same-origin paths that are not pages of the app: files, the API, sign-in. The checkout is a page, but its own content
 * security policy applies only when the document itself is loaded.
 */
const NOT_PAGES = /^\/(api|assets|images|auth|builds|checkout|dev)(\/|$)/;

/**
 * Pages that are documents of their own: the admin area for its style sheet, the others so that no third party's script
 * meets what is about one person (`server/platform/web/private_pages.rs`). No other page's path begins like these.
 */
const section = ({ pathname }: URL) =>
  /^\/(admin|account|checkout|order-|test-)/.exec(pathname)?.[1];

/** Whether a client-side navigation can show this address. */
export function isPageUrl(url: URL, here: URL): boolean {
  return (
    url.origin === here.origin && !NOT_PAGES.test(url.pathname) && section(url) === section(here)
  );
}

/** True when only the fragment differs, or the same fragment is requested again: the browser then scrolls by itself. */
export function isFragmentOf(url: URL, here: URL): boolean {
  return url.hash !== "" && url.origin === here.origin && pathAndQuery(url) === pathAndQuery(here);
}

export function pathAndQuery(url: URL): string {
  return url.pathname + url.search;
}

/** The link around a node, if it loads something into this window: not a download, nor an email to write. */
function linkOfWindow(node: EventTarget | null): HTMLAnchorElement | null {
  const link = node instanceof Element ? node.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement)) return null;
  if ((link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  return link.protocol.startsWith("http") ? link : null;
}

/** The link around a node, if a client-side navigation may follow it. */
export function pageLink(node: EventTarget | null): HTMLAnchorElement | null {
  const link = linkOfWindow(node);
  if (!link || "reload" in link.dataset) return null;
  return isPageUrl(new URL(link.href), new URL(location.href)) ? link : null;
}

/** The link of a plain click that leaves the page in this window. */
export function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = isPlain(event) ? linkOfWindow(event.target) : null;
  return link && !isFragmentOf(new URL(link.href), new URL(location.href)) ? link : null;
}
