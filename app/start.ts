// The first script of every page. Content comes before code: the app is fetched once what the server wrote has been
// painted, so that on a slow connection no script takes bandwidth from the page's text and its picture.
import "./styles/main.css";

/** Also for a page that paints nothing: in a hidden tab, or where the server could not render. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const empty = document.getElementById("root")?.firstChild === null;
    if (empty || document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) {
      resolve();
      return;
    }
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      resolve();
    }).observe({ type: "paint", buffered: true });
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

await painted();
fetchCode();
await import("./client");
