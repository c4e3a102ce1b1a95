// The document that the shop writes around a page, for hosts that are not frameworks.
import { renderToString } from "react-dom/server";
import { openEnvelopes } from "../envelopes.mjs";
import { ShopPage } from "../shop-page";

/** A function from an address and its cookies to the document, or to undefined. */
export function openDocuments(captured: unknown) {
  const find = openEnvelopes(captured);
  return (url: string, cookie: string | null | undefined): string | undefined => {
    const page = find(url, cookie ?? undefined);
    if (!page) return undefined;
    const html = renderToString(<ShopPage envelope={page.envelope} />);
    const json = JSON.stringify(page.envelope).replaceAll("<", "\\u003c");
    return `${page.head}<body><div id="root">${html}</div><script type="application/json" id="page">${json}</script></body></html>`;
  };
}

/** Whether a cache may keep the answer: pages of signed-in shoppers and of made-up addresses are not worth it. */
export function mayKeep(url: string, cookie: string | null | undefined): boolean {
  return !url.includes("max_price=") && !url.includes("variant=") && !cookie?.includes("session=");
}
