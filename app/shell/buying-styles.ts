// Loaded when the page is idle: the style sheet that only the documents of cart, checkout, and account have from the start.
import address from "../styles/buying.css?address";

/** Settles when the style sheet is there, or cannot be loaded. */
export function loadStyles(): Promise<void> | undefined {
  if (document.querySelector(`link[href="${address}"]`)) return undefined;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
