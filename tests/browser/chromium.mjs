/** The browser of these tests: Debian's, or the one that CHROMIUM names. */
export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

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
