import { readFileSync } from "node:fs";
import type { Envelope } from "../../../../../app/lib/types";
import { openEnvelopes, withMeta } from "../../envelopes.mjs";

const captured = JSON.parse(readFileSync(process.env.PAGES ?? "", "utf8"));
const find = openEnvelopes(captured);
const kept = new Map<string, Envelope>(
  captured.pages.map(({ name, kept }) => [name, withMeta(kept)]),
);

export function envelopeOf({ url, headers }: Request): Envelope {
  const answer = find(url, headers.get("cookie") ?? "");
  return found(answer && withMeta(answer));
}

export function keptEnvelope(name: string | undefined): Envelope {
  return found(kept.get(name ?? ""));
}

function found(envelope: Envelope | undefined): Envelope {
  if (!envelope) throw new Response("Not found", { status: 404 });
  return envelope;
}
