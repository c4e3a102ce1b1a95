// The pages that are measured. In an address, @ stands for a number that no request before had.

/** Digits of a number that occurs nowhere in the shop's pages, for finding where an address puts its number. */
export const MARKER = 765432;

/**
 * Modes: `fresh` asks for an address that was never asked before, so that no cache can answer; `kept` asks for the same
 * one again and again; `-packed` asks as browsers do, with compression.
 */
export const pages = [
  {
    name: "list",
    title: "list of 48 cards",
    same: "/products",
    fresh: "/products?max_price=@",
    modes: ["fresh", "fresh-packed", "kept", "kept-packed"],
  },
  {
    name: "search",
    title: "search",
    same: "/products?q=pipe",
    fresh: "/products?q=pipe&max_price=@",
    modes: ["fresh"],
  },
  {
    name: "category",
    title: "category",
    same: "/category/pipes",
    fresh: "/category/pipes?max_price=@",
    modes: ["fresh"],
  },
  {
    // Its page has one address for each variant, so the shop has kept it after the first request.
    name: "product",
    title: "product",
    same: "/product/two-piece-grinder",
    modes: ["kept"],
  },
  {
    name: "member",
    title: "list for a signed-in shopper",
    same: "/products",
    fresh: "/products?max_price=@",
    modes: ["fresh", "kept"],
    signedIn: true,
  },
];

/** What browsers send; the accepted encodings come with the `-packed` modes. */
export const browserHeaders = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.9",
  "cache-control": "max-age=0",
  "upgrade-insecure-requests": "1",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "sec-fetch-user": "?1",
};
export const ENCODINGS = "gzip, deflate, br, zstd";

/** The rows of the table: each page in each of its modes. */
export function rowsOf({ only, modes }) {
  return pages
    .filter(({ name }) => !only || only.includes(name))
    .flatMap((page) => page.modes.map((mode) => ({ page, mode, name: `${page.name} ${mode}` })))
    .filter(({ mode }) => !modes || modes.includes(mode));
}

export const isPacked = (mode) => mode.endsWith("-packed");
export const isKept = (mode) => mode.startsWith("kept");
