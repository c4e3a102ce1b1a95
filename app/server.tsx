import { renderElement } from "../ssr-runtime/js/react";
import type { Envelope, MailProps } from "./lib/types";
import { loadPage, type PageComponent } from "./lib/view";
import { composeEmail } from "./mail/compose";
import { sampleEmails } from "./mail/samples";
import { mails } from "./mails";
import { pages } from "./pages";
import { samples } from "./samples";
import { App } from "./shell/app";

declare global {
  /** Prepares the isolate: loads every page and renders each once. Called before the snapshot is taken. */
  var warm: () => Promise<void>;
  /** Renders an envelope given as JSON to HTML, or an email given as JSON to its parts as JSON. */
  var render: (json: string) => string | Promise<string>;
}

const loaded = new Map<string, PageComponent>();

globalThis.warm = async () => {
  const names = Object.keys({ ...pages.shop, ...(await pages.admin()).pages });
  for (const name of names) loaded.set(name, await loadPage(pages, name));
  for (const sample of [...samples, ...sampleEmails]) await render(JSON.stringify(sample));
};

globalThis.render = (json) => {
  const input = JSON.parse(json) as Envelope | MailProps;
  if ("mail" in input) return composeEmail(mails, input, renderElement);
  const Page = loaded.get(input.page);
  if (!Page) throw new Error(`Unknown page: ${input.page}`);
  return renderElement(<App envelope={input} Page={Page} />);
};
