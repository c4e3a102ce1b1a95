import { isPageUrl } from "./links";

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
