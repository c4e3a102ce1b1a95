// The first script of every page. Content comes before code: the app is fetched once what the server wrote has been
// painted, so that on a slow connection no script takes bandwidth from the page's text and its picture.
import "./styles/main.css";
import { recordEarly, replayEarly } from "./lib/early";
import { mayReload } from "./lib/reload";

/** A hidden tab paints nothing and does not wait for it. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** The files that the server names for this page, all at once: each names the next only when it has come. */
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
  // Without its code the page still is what the server wrote; loaded again it gets the files of today.
  if (mayReload(location.pathname)) location.reload();
  else void replayEarly();
  throw error;
});
