import type { Meta } from "./types";

/** Updates the document's head to what the server would have rendered for this page. */
export function updateHead(meta: Meta): void {
  document.title = meta.title;
  setMeta("name", "description", meta.description);
  setMeta("name", "robots", meta.robots);
  setMeta("property", "og:title", meta.title);
  setMeta("property", "og:description", meta.description);
  setMeta("property", "og:type", meta.json_ld.some(isProduct) ? "product" : "website");
  setMeta("property", "og:url", meta.canonical);
  setMeta("property", "og:image", meta.image);
  setMeta("name", "twitter:card", meta.image && "summary_large_image");
  setCanonical(meta.canonical);
  setJsonLd(meta.json_ld);
}

function isProduct(item: unknown): boolean {
  return (
    typeof item === "object" && item !== null && "@type" in item && item["@type"] === "Product"
  );
}

function setMeta(kind: "name" | "property", key: string, content: string | null): void {
  const present = document.head.querySelector<HTMLMetaElement>(`meta[${kind}="${key}"]`);
  if (content === null) {
    present?.remove();
    return;
  }
  const element = present ?? document.head.appendChild(document.createElement("meta"));
  element.setAttribute(kind, key);
  element.content = content;
}

function setCanonical(href: string | null): void {
  const present = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (href === null) {
    present?.remove();
    return;
  }
  const element = present ?? document.head.appendChild(document.createElement("link"));
  element.rel = "canonical";
  element.href = href;
}

function setJsonLd(items: unknown[]): void {
  for (const old of document.querySelectorAll('script[type="application/ld+json"]')) old.remove();
  for (const item of items) {
    const element = document.createElement("script");
    element.type = "application/ld+json";
    // As a node: to set the text of a script would be forbidden, even of one that is data.
    element.append(JSON.stringify(item));
    document.head.append(element);
  }
}
