import type { MetaDescriptor } from "react-router";
import type { Envelope } from "../../../../../app/lib/types";

/** The same elements as in the shop's head. */
export function metaOf({ meta, shared }: Envelope): MetaDescriptor[] {
  const { title, description, canonical, robots, image } = meta;
  return [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: shared.company.name },
    ...(robots ? [{ name: "robots", content: robots }] : []),
    ...(canonical
      ? [
          { tagName: "link", rel: "canonical", href: canonical } as const,
          { property: "og:url", content: canonical },
        ]
      : []),
    ...(image
      ? [
          { property: "og:image", content: image },
          { name: "twitter:card", content: "summary_large_image" },
        ]
      : []),
  ];
}
