import { trusted } from "./trusted";
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
  setElement("link", "rel", "canonical", "href", meta.canonical);
  setJsonLd(meta.json_ld);
}

function isProduct(item: unknown): boolean {
  return (item as { "@type"?: string })["@type"] === "Product";
}

function setMeta(attribute: "name" | "property", key: string, content: string | null): void {
  setElement("meta", attribute, key, "content", content);
}

/** Sets a value of the element with this key, which is removed without a value. */
function setElement(
  tag: "meta" | "link",
  attribute: string,
  key: string,
  field: string,
  value: string | null,
): void {
  const present = document.head.querySelector(`${tag}[${attribute}="${key}"]`);
  if (value === null) {
    present?.remove();
    return;
  }
  const element = present ?? document.head.appendChild(document.createElement(tag));
  element.setAttribute(attribute, key);
  element.setAttribute(field, value);
}

function setJsonLd(items: unknown[]): void {
  for (const old of document.querySelectorAll('script[type="application/ld+json"]')) old.remove();
  for (const item of items) {
    const element = document.createElement("script");
    element.type = "application/ld+json";
    // Data is no script, but the browser takes it for one.
    element.text = trusted.createScript(JSON.stringify(item));
    document.head.append(element);
  }
}
