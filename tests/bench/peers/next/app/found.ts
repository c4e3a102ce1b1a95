import { readFileSync } from "node:fs";
import type { Metadata } from "next";
import type { Envelope } from "../../../../../app/lib/types";
import { openEnvelopes, withMeta } from "../../envelopes.mjs";

const captured = JSON.parse(
  readFileSync(/* turbopackIgnore: true */ process.env.PAGES ?? "", "utf8"),
);
const find = openEnvelopes(captured);

export function envelopeOf(url: string, cookie: string): Envelope | undefined {
  const answer = find(url, cookie);
  return answer && withMeta(answer);
}

/** The pages that are rendered once, by name. */
export const keptPages = new Map<string, Envelope>(
  captured.pages.map(({ name, kept }) => [name, withMeta(kept)]),
);

export function metadataOf({ meta, shared }: Envelope): Metadata {
  const { title, description, canonical, robots, image } = meta;
  return {
    title,
    description,
    robots,
    alternates: { canonical },
    openGraph: {
      title,
      description,
      type: "website",
      siteName: shared.company.name,
      url: canonical ?? undefined,
      images: image ? [image] : [],
    },
  };
}
