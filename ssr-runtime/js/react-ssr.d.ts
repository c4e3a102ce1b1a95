// The alias that esbuild.mjs gives to React's server build for Bun, as far as it is used here.
declare module "react-ssr" {
  import type { ErrorInfo, ReactNode } from "react";

  /** What a finished page is written to. */
  interface Sink {
    write(chunk: string): boolean;
    end(): void;
    destroy(error: unknown): void;
    on(event: string, listener: () => void): void;
  }

  interface Options {
    onAllReady(): void;
    onShellError(error: unknown): void;
    onError(error: unknown, info: ErrorInfo): void;
  }

  export function renderToPipeableStream(
    element: ReactNode,
    options: Options,
  ): { pipe(sink: Sink): void; abort(reason?: unknown): void };
}
