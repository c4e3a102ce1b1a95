import { startTransition } from "react";
import { createRoot, hydrateRoot, type RootOptions } from "react-dom/client";
import { addErrorHook, type ErrorKind, followUncaughtErrors, reportError } from "./lib/errors";
import type { Envelope } from "./lib/types";
import { loadPage } from "./lib/view";
import { pages } from "./pages";
import { errorCode, Root } from "./shell/root";

export async function mount(): Promise<void> {
  addErrorHook((error, kind) => {
    const url = location.pathname;
    errorCode().then(
      ({ report }) => report(error, kind, url),
      // Without a connection the report is lost.
      () => {},
    );
  });
  followUncaughtErrors();
  const container = element("root");
  const envelope = JSON.parse(element("page").textContent) as Envelope;
  if (process.env.NODE_ENV !== "production" && envelope.shared.dev) {
    const { followRebuilds } = await import("./lib/dev-reload");
    followRebuilds();
  }
  const first = { envelope, Page: await loadPage(pages, envelope.page) };
  const app = <Root pages={pages} first={first} html={container.innerHTML} />;
  // The server sends an empty root when it could not render.
  startTransition(() => {
    if (container.firstChild)
      hydrateRoot(container, app, { ...reporting, onRecoverableError: report("hydration") });
    else createRoot(container, reporting).render(app);
  });
}

const reporting: RootOptions = {
  onCaughtError: report("render"),
  onUncaughtError: report("render"),
};

function report(kind: ErrorKind): (error: unknown) => void {
  return (error) => reportError(error, kind);
}

/** Every document has it. */
const element = (id: string) => document.getElementById(id) as HTMLElement;
