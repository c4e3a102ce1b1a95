import { renderElement } from "../ssr-runtime/js/react";
import type { Envelope } from "./lib/types";
import { loadPage, type PageComponent } from "./lib/view";
import { pages } from "./pages";
import { samples } from "./samples";
import { App } from "./shell/app";

declare global {
  /** Makes the isolate ready: loads every page and renders each once. Called before the snapshot is taken. */
  var warm: () => Promise<void>;
  /** The HTML of an envelope given as JSON. */
  var render: (json: string) => string | Promise<string>;
}

const loaded = new Map<string, PageComponent>();

globalThis.warm = async () => {
  for (const name of Object.keys(pages)) loaded.set(name, await loadPage(pages, name));
  for (const sample of samples) await render(JSON.stringify(sample));
};

globalThis.render = (json) => {
  const envelope = JSON.parse(json) as Envelope;
  const Page = loaded.get(envelope.page);
  if (!Page) throw new Error(`Unknown page: ${envelope.page}`);
  return renderElement(<App envelope={envelope} Page={Page} />);
};
