// Writes the fonts in this folder, subsets of those in the npm packages: node app/fonts/subset.mjs

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const { resolve } = createRequire(import.meta.url);

/** Each font with the weights that the style sheets use (app/styles/fonts.css has the same). */
const FONTS = {
  figtree: { wght: { min: 400, max: 700 } },
  fraunces: { wght: { min: 300, max: 500 } },
};

/** Printable ASCII, the letters of Western Europe, and what typographers and prices need. Others come from the system's fonts. */
const CHARACTERS = [
  String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at)),
  "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœ",
  "¡¢£¥§©«®°±²³·º»¼½¾¿×÷€™−",
  "\u00a0–—‘’‚“”„•…′″‹›",
].join("");

/** Of the shop's icon, which the server draws with the shop's initials. */
const INITIALS = { font: "fraunces", weight: 500, characters: /[\p{Lu}\d]/gu };

/** Kerning, ligatures, languages, variations of glyphs, and figures of one width. */
const FEATURES = ["kern", "liga", "locl", "rvrn", "tnum"];

/** File name to contents. */
export async function subsets() {
  const files = new Map();
  for (const [name, variationAxes] of Object.entries(FONTS)) {
    const contents = await subsetFont(await readFile(original(name)), CHARACTERS, {
      targetFormat: "woff2",
      variationAxes,
      keepFeatures: FEATURES,
    });
    files.set(`${name}.woff2`, contents);
  }
  const { font, weight, characters } = INITIALS;
  const initials = CHARACTERS.match(characters).join("");
  const contents = await subsetFont(await readFile(original(font)), initials, {
    targetFormat: "truetype",
    variationAxes: { wght: weight },
    keepFeatures: [],
  });
  files.set("initials.ttf", contents);
  return files;
}

const original = (name) =>
  resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, contents] of await subsets())
    await writeFile(join(import.meta.dirname, name), contents);
}
