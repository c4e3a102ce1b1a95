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
  /** Loads every page and renders those for shoppers: their code is then in the snapshot. */
  var warm: () => Promise<void>;
  /** Renders every page and every email once. */
  var check: () => Promise<void>;
  /** Renders an envelope given as JSON to HTML, or an email given as JSON to its parts as JSON. */
  var render: (json: string) => string | Promise<string>;
}

const loaded = new Map<string, PageComponent>();

globalThis.warm = async () => {
  await loadAll();
  // Isolates compile the rest while they have no visitors: with it, a start would read a snapshot that is a quarter larger.
  await renderAll(samples.filter(({ page }) => !page.startsWith("admin/")));
};

globalThis.check = async () => {
  await loadAll();
  await renderAll([...samples, ...sampleEmails]);
};

async function loadAll() {
  const names = Object.keys({ ...pages.shop, ...(await pages.admin()).pages });
  for (const name of names) loaded.set(name, await loadPage(pages, name));
}

async function renderAll(inputs: (Envelope | MailProps)[]) {
  for (const input of inputs) await render(JSON.stringify(input));
}

globalThis.render = (json) => {
  const input = JSON.parse(json) as Envelope | MailProps;
  if ("mail" in input) return composeEmail(mails, input, renderElement);
  const Page = loaded.get(input.page);
  if (!Page) throw new Error(`Unknown page: ${input.page}`);
  return renderElement(<App envelope={input} Page={Page} />);
};
