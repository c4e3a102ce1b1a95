// Loaded when the page is idle: the style sheets that only some documents have from the start.
import buying from "../styles/buying.css?address";
import catalog from "../styles/catalog.css?address";
import home from "../styles/home.css?address";
import texts from "../styles/texts.css?address";

let all: Promise<void> | undefined;

/** Settles when each style sheet is there, or cannot be loaded. */
export const loadStyles = (): Promise<void> => (all ??= loadMissing());

/**
 * All at once, but each takes effect after those before it: if one comes before another that is there, Chromium loads the fonts anew, and
 * one that arrived too late for the first paint replaces its fallback.
 */
async function loadMissing(): Promise<void> {
  const missing = [home, catalog, texts, buying].filter(
    (address) => !document.querySelector(`link[href="${address}"]`),
  );
  await Promise.all(missing.map((address) => append("preload", address)));
  for (const address of missing) await append("stylesheet", address);
}

/** Settles when what it links is there, or cannot be loaded. */
const append = (rel: string, href: string): Promise<unknown> =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    link.onload = link.onerror = resolve;
    document.head.append(Object.assign(link, { rel, href, as: "style" }));
  });
