import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The one without a window comes first because it starts faster. */
const NAMES = ["chromium-headless-shell", "chromium"];

/** Those that are installed. Debian's come first: another one on the path, such as snap's, may not start for root. */
export const browsers = (path) =>
  ["/usr/bin", ...path.split(delimiter)]
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .filter((file) => existsSync(file));

const installed = browsers(process.env.PATH ?? "");

/** The browser for these tests: CHROMIUM if set. */
export const executablePath = process.env.CHROMIUM ?? installed[0] ?? NAMES[0];

/** The one with a window, if it is installed: it can do more, such as keep pages for back and forward. */
export const fullPath =
  process.env.CHROMIUM ?? installed.find((file) => file.endsWith("/chromium")) ?? executablePath;

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
