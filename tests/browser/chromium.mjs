import { existsSync } from "node:fs";

/** Debian's packages; the one without a window comes first because it starts faster. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The browser for these tests: CHROMIUM if set. */
export const executablePath =
  process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0];

/** The one with a window, if it is installed: it can do more, such as keep pages for back and forward. */
export const fullPath =
  process.env.CHROMIUM ?? INSTALLED.findLast((path) => existsSync(path)) ?? INSTALLED[0];

/** It runs as root in a container, and connects only to the shop. */
export const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
