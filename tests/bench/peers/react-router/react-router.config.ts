import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  buildDirectory: "../.work/react-router",
  // The kept pages are rendered once, when the app is built.
  prerender: ["list", "search", "category", "product", "member"].map((name) => `/kept/${name}`),
} satisfies Config;
