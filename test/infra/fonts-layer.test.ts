// The layer with the fonts.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildFontsLayer } from "../../layers/fonts/build.ts";
import { readCharacterMap } from "../../layers/fonts/character-map.ts";
import { readTables } from "../../layers/fonts/sfnt.ts";

const fonts = join(buildFontsLayer(), "fonts");
const files = readdirSync(join(fonts, "files"));

test("leaves the function room beside Chromium: less than 70 MB", () => {
  const sizes = readdirSync(fonts, { recursive: true }).map((path) => statSync(join(fonts, String(path))).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70e6);
});

test("holds fonts that are whole", () => {
  expect(files.length).toBeGreaterThan(70);
  for (const file of files) {
    const tables = readTables(readFileSync(join(fonts, "files", file)));
    expect([...tables.keys()], file).toEqual(
      expect.arrayContaining(["OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name"]),
    );
    expect(readCharacterMap(tables).size, file).toBeGreaterThan(50);
  }
});

test.each([
  ["NotoSansJP.ttf", 16_000],
  ["NotoSansKR.ttf", 17_000],
  ["NotoSansTC.ttf", 12_000],
  ["NotoSansHK.ttf", 15_000],
  ["NotoSansSC.otf", 30_000],
])("%s has all its characters again: more than %i", (file, atLeast) => {
  const tables = readTables(readFileSync(join(fonts, "files", file)));
  expect(readCharacterMap(tables).size).toBeGreaterThan(atLeast);
});

test("brings the licence of every package", () => {
  const licences = readdirSync(join(fonts, "licences"));
  const text = (file: string) => readFileSync(join(fonts, "licences", file), "utf8");
  expect(licences.length).toBeGreaterThan(35);
  expect(
    licences.filter((file) => !/SIL OPEN FONT LICENSE|SIL Open Font License|Apache License/.test(text(file))),
  ).toEqual([]);
});

test("brings a cache for the folder that every configuration names", () => {
  const names = readdirSync(join(fonts, "cache")).filter((file) => file !== "CACHEDIR.TAG");
  // md5 of "/opt/fonts/files", as fontconfig names it
  expect(names).toEqual([expect.stringMatching(/^0ab373d3d94f05aba63594e19bb2ed29-le64\.cache-\d+$/)]);
});

test("is built once for each version", () => {
  expect(join(buildFontsLayer(), "fonts")).toBe(fonts);
  expect(existsSync(join(fonts, "rules.conf"))).toBe(true);
});
