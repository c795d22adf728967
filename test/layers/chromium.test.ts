// The layer with the packed Chromium.
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createZstdDecompress } from "node:zlib";
import { PUPPETEER_REVISIONS } from "puppeteer-core/internal/revisions.js";
import { expect, test } from "vitest";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";

const folder = join(buildChromiumLayer(), "chromium");

test("Chromium layer: has the packed browser and its libraries", () => {
  expect(readdirSync(folder).toSorted()).toEqual(["chromium.json", "chromium.zst", "closed-process.node"]);
});

test("Chromium layer: unpacks to an executable", async () => {
  const unpacked = createReadStream(join(folder, "chromium.zst")).pipe(createZstdDecompress());
  for await (const chunk of unpacked) {
    expect(chunk.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    break;
  }
});

test("Chromium layer: is built once per version", () => {
  expect(join(buildChromiumLayer(), "chromium")).toBe(folder);
});

/**
 * How many releases the browser may be behind the one that Puppeteer is tested with. The Chromium package follows weeks
 * later, and the protocol changes slowly; a larger lag is a forgotten update.
 */
const RELEASES_BEHIND = 4;

test("Chromium layer: has a browser that Puppeteer supports: not newer than its own, and at most four releases older", () => {
  const chromium = Number.parseInt(packageVersion("@sparticuz/chromium"), 10);
  const puppeteers = Number.parseInt(PUPPETEER_REVISIONS.chrome, 10);
  expect(chromium).toBeLessThanOrEqual(puppeteers);
  expect(chromium).toBeGreaterThanOrEqual(puppeteers - RELEASES_BEHIND);
});

test("Chromium layer: is updated together with Puppeteer, in these tested versions", () => {
  expect({
    chromium: packageVersion("@sparticuz/chromium"),
    puppeteer: packageVersion("puppeteer-core"),
  }).toEqual({ chromium: "153.0.0", puppeteer: "25.16.0" });
});

function packageVersion(name: string): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../node_modules", name, "package.json"), "utf8"))
    .version;
}
