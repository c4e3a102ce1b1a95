/**
 * Same-origin paths that are not pages of the app: files, the API, sign-in. The checkout is a page, but its own content
 * security policy applies only when the document itself is loaded.
 */
const NOT_PAGES = /^\/(api|assets|images|auth|builds|checkout|dev)(\/|$)/;

/** The admin area has its own style sheet, which is loaded with its documents. */
const isAdmin = ({ pathname }: URL) => /^\/admin(\/|$)/.test(pathname);

/** Whether a client-side navigation can show this address. */
export function isPageUrl(url: URL, here: URL): boolean {
  return (
    url.origin === here.origin && !NOT_PAGES.test(url.pathname) && isAdmin(url) === isAdmin(here)
  );
}

/** True when only the fragment differs, or the same fragment is requested again: the browser then scrolls by itself. */
export function isFragmentOf(url: URL, here: URL): boolean {
  return url.hash !== "" && pathAndQuery(url) === pathAndQuery(here);
}

export function pathAndQuery(url: URL): string {
  return url.pathname + url.search;
}

/** The link around a node, if a client-side navigation may follow it. */
export function pageLink(node: EventTarget | null): HTMLAnchorElement | null {
  const link = node instanceof Element ? node.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement)) return null;
  if ((link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  if ("reload" in link.dataset) return null;
  return isPageUrl(new URL(link.href), new URL(location.href)) ? link : null;
}

/** The link of a plain left click that no other handler has handled. */
export function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = isPlain(event) ? pageLink(event.target) : null;
  return link && !isFragmentOf(new URL(link.href), new URL(location.href)) ? link : null;
}

/** The address of a clicked sign-in or sign-up link, if it was a plain left click. */
export function clickedSignIn(event: MouseEvent): string | undefined {
  const link = isPlain(event) ? (event.target as Element).closest<HTMLAnchorElement>("a") : null;
  return link?.href.startsWith(`${location.origin}/auth/`) ? link.href : undefined;
}

function isPlain(event: MouseEvent): boolean {
  const { metaKey, ctrlKey, shiftKey, altKey } = event;
  return (
    !event.defaultPrevented && event.button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
  );
}

/** The address of a submitted GET form, if a client-side navigation may show it. */
export function submittedUrl(event: SubmitEvent): URL | null {
  const { target: form, submitter: button } = event;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || "reload" in form.dataset)
    return null;
  // Attributes, because a field may be named "action", "method" or "target".
  const attribute = (name: string) =>
    button?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  if ((attribute("method") ?? "get").toLowerCase() !== "get") return null;
  if ((attribute("target") ?? "_self") !== "_self") return null;
  const url = new URL(attribute("action") || location.href, document.baseURI);
  url.search = queryOf(new FormData(form, button)).toString();
  url.hash = "";
  return isPageUrl(url, new URL(location.href)) ? url : null;
}

/** The query that the browser would send: for a file field, the file's name. */
function queryOf(data: FormData): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of data)
    query.append(name, typeof value === "string" ? value : value.name);
  return query;
}
