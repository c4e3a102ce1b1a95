// The smallest Brotli of a file.

import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const LARGE = 100_000;
/** How distances are coded: the bits of NPOSTFIX, and multiples of NDIRECT. Which of them is the smallest is luck. */
const DISTANCES = [0, 1, 2].flatMap((bits) => [0, 1, 2].map((direct) => [bits, direct << bits]));

/** Large files are compressed in several ways: the library that all pages share is a quarter of a percent smaller. */
export async function brotli(contents) {
  const ways = contents.length < LARGE ? DISTANCES.slice(0, 1) : DISTANCES;
  const all = await Promise.all(
    ways.map(([bits, direct]) =>
      promisify(brotliCompress)(contents, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
          [constants.BROTLI_PARAM_NPOSTFIX]: bits,
          [constants.BROTLI_PARAM_NDIRECT]: direct,
        },
      }),
    ),
  );
  return all.reduce((smallest, each) => (each.length < smallest.length ? each : smallest));
}
