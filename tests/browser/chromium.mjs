import { existsSync } from "node:fs";

/** Debian's, the one without windows first: it starts sooner. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The browser of these tests, or the one that CHROMIUM names. */
export const executablePath =
  process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0];

/** It runs as root in a container, and speaks to nobody but the shop. */
export const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
