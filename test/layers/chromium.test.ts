// The layer with the packed Chromium.
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createZstdDecompress } from "node:zlib";
import { PUPPETEER_REVISIONS } from "puppeteer-core/internal/revisions.js";
import { expect, test } from "vitest";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";

const folder = join(buildChromiumLayer(), "chromium");

test("holds the browser and its libraries, packed", () => {
  expect(readdirSync(folder).toSorted()).toEqual(["chromium.json", "chromium.zst"]);
});

test("unpacks to a program", async () => {
  const unpacked = createReadStream(join(folder, "chromium.zst")).pipe(createZstdDecompress());
  for await (const chunk of unpacked) {
    expect(chunk.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    break;
  }
});

test("is built once for each version", () => {
  expect(join(buildChromiumLayer(), "chromium")).toBe(folder);
});

/**
 * How far the browser may lag behind the one Puppeteer is tested with. The package of Chromium follows weeks later, and
 * the protocol between the two changes slowly; but a lag that grows is an update forgotten on one side.
 */
const RELEASES_BEHIND = 4;

test("holds a browser that Puppeteer can drive: not newer than it knows, and not much older", () => {
  const chromium = Number.parseInt(packageVersion("@sparticuz/chromium"), 10);
  const puppeteers = Number.parseInt(PUPPETEER_REVISIONS.chrome, 10);
  expect(chromium).toBeLessThanOrEqual(puppeteers);
  expect(chromium).toBeGreaterThanOrEqual(puppeteers - RELEASES_BEHIND);
});

test("moves together with Puppeteer: whoever updates one of them, tries both and writes it here", () => {
  expect({
    chromium: packageVersion("@sparticuz/chromium"),
    puppeteer: packageVersion("puppeteer-core"),
  }).toEqual({ chromium: "153.0.0", puppeteer: "25.16.0" });
});

function packageVersion(name: string): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../node_modules", name, "package.json"), "utf8"))
    .version;
}
