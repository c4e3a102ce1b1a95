import { dirname } from "node:path";

// The components are in the shop's own folders.
const root = dirname(dirname(dirname(dirname(import.meta.dirname))));

export default {
  distDir: "../.work/next",
  outputFileTracingRoot: root,
  turbopack: { root },
  // Metadata in the head of the document, as in the shop's, not streamed after it.
  htmlLimitedBots: /.*/,
  poweredByHeader: false,
  // The project checks its types elsewhere.
  typescript: { ignoreBuildErrors: true },
};
