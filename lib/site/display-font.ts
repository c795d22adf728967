// The font of headings, reduced to one weight and to the characters that headings have: 14 KB instead of 60.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join("");

/** The weight of `base.css`. */
const WEIGHT = 640;

/** A WOFF2 file. */
export async function displayFont(): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const file = require.resolve(
    "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
  );
  return subsetFont(await readFile(file), `${ascii}‘’“”–—…·×→←−`, {
    targetFormat: "woff2",
    variationAxes: { wght: WEIGHT },
  });
}
