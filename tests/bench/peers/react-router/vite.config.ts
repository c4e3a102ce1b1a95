import { dirname } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

// The components are in the shop's own folders.
const root = dirname(dirname(dirname(dirname(import.meta.dirname))));

export default defineConfig({
  plugins: [reactRouter()],
  resolve: { dedupe: ["react", "react-dom"] },
  server: { fs: { allow: [root] } },
  // Vite leaves it to be read at run time in a server's bundle.
  define: { "process.env.NODE_ENV": '"production"' },
  // One bundle is faster than modules of node_modules.
  ssr: { noExternal: true },
});
