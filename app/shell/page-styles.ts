// Loaded when the page is idle: the style sheets that only some documents have from the start.
import buying from "../styles/buying.css?address";
import catalog from "../styles/catalog.css?address";
import home from "../styles/home.css?address";
import texts from "../styles/texts.css?address";

let all: Promise<void> | undefined;

/** Resolves when all style sheets are there. If one does not load, the next call tries again. */
export const loadStyles = (): Promise<void> =>
  (all ??= loadMissing().catch((error) => {
    all = undefined;
    throw error;
  }));

/**
 * All at once, but each takes effect after those before it: if one comes before another that is there, Chromium loads the fonts anew, and
 * one that arrived too late for the first paint replaces its fallback.
 */
async function loadMissing(): Promise<void> {
  const missing = [home, catalog, texts, buying].filter(
    (address) => !document.querySelector(`link[rel=stylesheet][href="${address}"]`),
  );
  // Chromium asks for one that did not load again only after a style sheet has failed, too.
  await Promise.allSettled(missing.map((address) => append("preload", address)));
  for (const address of missing) await append("stylesheet", address);
}

/** Settles when what it links is there. */
const append = (rel: string, href: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject();
    };
    document.head.append(Object.assign(link, { rel, href, as: "style" }));
  });
