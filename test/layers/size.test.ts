// The size of the layers: Lambda takes 250 MiB unpacked of a function with its layers.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildBlockingLayer } from "../../layers/blocking/build.ts";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../layers/fonts/build.ts";

const MEBIBYTE = 2 ** 20;
/** From here on, it is time to change to a container image. */
const MOST_MIB = 235;
/** The renderer's own files: `sharp` with its library, and the bundle. */
const FUNCTION_MIB = 26;

function sizeBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("layers: with the files of the renderer, they leave room below Lambda's limit", () => {
  const layers = [buildChromiumLayer(), buildFontsLayer(), buildBlockingLayer()].map(sizeBytes);
  for (const size of layers) expect(size).toBeGreaterThan(MEBIBYTE);
  const total = layers.reduce((sum, size) => sum + size, 0) / MEBIBYTE + FUNCTION_MIB;
  expect(total).toBeLessThan(MOST_MIB);
});
