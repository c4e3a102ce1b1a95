// The first script of every page. It loads the app only after the server-rendered page has been painted, so that on a
// slow connection scripts do not take bandwidth from the page's text and pictures.
import "./styles/main.css";
import { firstSent, recordEarly, replayEarly } from "./lib/early";
import { mayReload } from "./lib/reload";

const PAINTED_MS = 1000;

/**
 * Resolves when the page and the pictures that load with priority are on the screen, or soon: a slow picture does not hold
 * up the app. A hidden tab does not paint and does not wait.
 */
function painted(): Promise<unknown> | undefined {
  if (document.hidden) return undefined;
  const pictures = [...document.images].filter(({ fetchPriority }) => fetchPriority === "high");
  return Promise.race([
    Promise.allSettled([
      // A frame that a script has waited for is on the screen only later, and the first one may lack all text.
      new Promise<void>((resolve) => {
        new PerformanceObserver((list) => {
          if (list.getEntriesByName("first-contentful-paint")[0]) resolve();
        }).observe({ type: "paint", buffered: true });
      }),
      ...pictures.map((picture) => picture.decode()),
    ]),
    new Promise((resolve) => setTimeout(resolve, PAINTED_MS)),
  ]);
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
try {
  const { mount } = await import("./client");
  await mount();
} catch (error) {
  console.error("Error while mounting app:", error);
  // A reload gets the files of the current deployment, but loses what was sent or typed, or which link was pressed, or the
  // page's notice, and it would send again the form that a page answers (`server/http/page/document.rs`).
  const sent = firstSent();
  const { dataset } = document.documentElement;
  if (!sent && !dataset.once && mayReload(location.pathname)) location.reload();
  else {
    // Shows what is for pages without scripts (`helpers.css`).
    dataset.unloaded = "1";
    // The admin area needs scripts: it says so, and keeps what was typed, unless somebody wanted to leave. Other pages work
    // as without scripts.
    if (sent?.leaves || !document.querySelector(".admin")) void replayEarly(true);
  }
  throw error;
}
