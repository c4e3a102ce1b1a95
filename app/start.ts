// The first script of every page. It loads the app only after the server-rendered page has been painted, so that on a
// slow connection scripts do not take bandwidth from the page's text and pictures.
import "./styles/main.css";
import { recordEarly, replayEarly } from "./lib/early";
import { mayReload } from "./lib/reload";

/** Resolves after the first paint; a hidden tab does not paint and does not wait. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Preloads all files of this page in parallel; otherwise each would be discovered only after the one before. */
function fetchCode(): void {
  const files = document.getElementById("start")?.dataset.code?.split(" ") ?? [];
  for (const href of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.append(link);
  }
}

recordEarly();
await painted();
fetchCode();
await import("./client").catch((error: unknown) => {
  // A reload gets the files of the current deployment. Without the app, the server-rendered page stays usable.
  if (mayReload(location.pathname)) location.reload();
  else void replayEarly();
  throw error;
});
