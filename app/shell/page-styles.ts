// Loaded when the page is idle: the style sheets that only some documents have from the start.
import buying from "../styles/buying.css?address";
import catalog from "../styles/catalog.css?address";
import home from "../styles/home.css?address";
import texts from "../styles/texts.css?address";

/** Settles when each style sheet is there, or cannot be loaded. */
export function loadStyles(): Promise<unknown> {
  return Promise.all([home, catalog, texts, buying].map(load));
}

function load(address: string): Promise<void> | undefined {
  if (document.querySelector(`link[href="${address}"]`)) return undefined;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
