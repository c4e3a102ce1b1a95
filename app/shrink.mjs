// Makes the scripts that esbuild has written smaller.

import { relative } from "node:path";
import { minify } from "terser";

/** An esbuild plugin; `isWanted` gets a script's entry in the metafile. */
export const shrink = (isWanted) => ({
  name: "shrink",
  setup({ initialOptions, onEnd }) {
    onEnd(async ({ outputFiles, metafile: { outputs } }) => {
      const files = new Map(
        outputFiles.map((file) => [relative(initialOptions.absWorkingDir, file.path), file]),
      );
      for (const [path, output] of Object.entries(outputs)) {
        if (!path.endsWith(".js") || !isWanted(output)) continue;
        const file = files.get(path);
        const map = files.get(`${path}.map`);
        const reduced = await reduce(file.text, map.text);
        file.contents = Buffer.from(reduced.code);
        map.contents = Buffer.from(reduced.map);
      }
    });
  },
});

/**
 * esbuild gives the most frequent variables of a script the shortest names; terser gives the first letters of the alphabet out
 * again in every function, which compresses better. Variables that are used once are replaced by their values. Its other
 * optimizations make nothing smaller.
 */
function reduce(text, map) {
  const compress = { defaults: false, reduce_vars: true, collapse_vars: true, unused: true };
  return minify(text, { module: true, compress, sourceMap: { content: map } });
}
