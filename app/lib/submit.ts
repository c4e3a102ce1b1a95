import { isPageUrl } from "./links";

const formOf = ({ target }: SubmitEvent) => target as HTMLFormElement;

/** Attributes, because a field may be named "action", "method" or "target". */
function attribute(event: SubmitEvent, name: string): string | null {
  return event.submitter?.getAttribute(`form${name}`) ?? formOf(event).getAttribute(name);
}

const method = (event: SubmitEvent) => (attribute(event, "method") ?? "get").toLowerCase();

/** Whether a submitted form leaves the page in this window. */
export function leavesPage(event: SubmitEvent): boolean {
  if (event.defaultPrevented || method(event) === "dialog") return false;
  return (attribute(event, "target") ?? "_self") === "_self";
}

/** The address of a submitted GET form, if a client-side navigation may show it. */
export function submittedUrl(event: SubmitEvent): URL | null {
  const form = formOf(event);
  if (method(event) !== "get" || "reload" in form.dataset) return null;
  const url = new URL(attribute(event, "action") || location.href, document.baseURI);
  url.search = queryOf(new FormData(form, event.submitter)).toString();
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
