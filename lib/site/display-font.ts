// The font of headings, reduced to the characters that a page shows in it: all of ASCII is 20 KB instead of 60.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import { SITE_NAME } from "./brand.ts";

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join("");

/** The font of pages with headings. */
export const displayFont = (): Promise<Buffer> => subset(`${ascii}‘’“”–—…·×→←−`);

/** The font of pages that show nothing but the name of the service in it: 3 KB. */
export const brandFont = (): Promise<Buffer> => subset(SITE_NAME);

async function subset(characters: string): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const file = require.resolve(
    "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
  );
  return subsetFont(await readFile(file), characters, {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 700 } },
  });
}
