// Renders a React element to HTML, for the bundle that an isolate runs.
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-ssr";

declare global {
  /** What an isolate's own JavaScript offers to the bundle; absent elsewhere. */
  var ssr: {
    /** Calls `work` and all that it queues as timers of no delay and microtasks. */
    flush(work: () => void): void;
    /** `renderElement`, for modules that the browser runs too and that cannot import it. */
    renderElement?: typeof renderElement;
  };
}

/**
 * The element's HTML: at once, or as a promise when something in it suspends. A component that throws anywhere, inside
 * a Suspense boundary too, makes the whole render throw: there is no half page.
 */
export function renderElement(element: ReactNode): string | Promise<string> {
  let html = "";
  let failure: { error: unknown } | undefined;
  let finished = false;
  let onFinish: (() => void) | undefined;
  const finish = () => {
    finished = true;
    onFinish?.();
  };
  const sink = {
    write(chunk: string) {
      html += chunk;
      return true;
    },
    end: finish,
    destroy(error: unknown) {
      failure ??= { error };
      finish();
    },
    on() {},
  };
  globalThis.ssr.flush(() => {
    const stream = renderToPipeableStream(element, {
      onAllReady: () => (failure ? finish() : stream.pipe(sink)),
      onShellError: finish,
      onError(error, info) {
        failure ??= { error };
        if (error instanceof Error) Object.assign(error, { componentStack: info.componentStack });
      },
    });
  });
  if (finished) {
    if (failure) throw failure.error;
    return html;
  }
  return new Promise((resolve, reject) => {
    onFinish = () => (failure ? reject(failure.error) : resolve(html));
  });
}

globalThis.ssr.renderElement = renderElement;
