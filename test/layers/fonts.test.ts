// The layer with the fonts.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildFontsLayer } from "../../layers/fonts/build.ts";
import { openFace } from "../../layers/fonts/face.ts";
import { limitedUseFamilies } from "../../layers/fonts/families.ts";
import { readMissingGlyphs, scriptWithoutGlyph } from "../../lib/engine/browser/missing-glyphs.ts";

const fonts = join(buildFontsLayer(), "fonts");
const files = readdirSync(join(fonts, "files"));
const face = (file: string) => openFace(join(fonts, "files", file));

/** Identifier in the table `name`. */
const FAMILY_NAME = 1;

test("leaves the function room for Chromium: less than 70 MB", () => {
  const sizes = readdirSync(fonts, { recursive: true }).map((path) => statSync(join(fonts, String(path))).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70e6);
});

test("holds fonts that are whole", () => {
  expect(files.length).toBeGreaterThan(70);
  for (const file of files) {
    const opened = face(file);
    const missing = ["OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name"].filter(
      (tag) => !opened.referenceTable(tag),
    );
    expect(missing, file).toEqual([]);
    if (file === "NotoSansBuginese.ttf") continue; // the script has no more than 30 characters
    expect(opened.collectUnicodes().length, file).toBeGreaterThan(50);
  }
});

test.each([
  ["NotoSansJP.ttf", 16_000],
  ["NotoSansKR.ttf", 23_000],
  ["NotoSansTC.ttf", 20_000],
  ["NotoSansHK.ttf", 20_000],
  ["NotoSansSC.otf", 30_000],
])("%s has all its characters: more than %i", (file, atLeast) => {
  expect(face(file).collectUnicodes().length).toBeGreaterThan(atLeast);
});

describe("layout tables: kerning and substitutions are those of the whole font", () => {
  const vertical = ["vert", "vrt2"];
  test.each([
    ["NotoSansJP.ttf", ["kern", "palt", "vpal"], [...vertical, "ccmp", "liga", "locl", "jp78", "jp90", "fwid", "ruby"]],
    ["NotoSansKR.ttf", ["kern", "palt", "vpal"], [...vertical, "ccmp", "liga", "locl", "ljmo", "vjmo", "tjmo"]],
    ["NotoSansTC.ttf", ["kern", "palt", "vpal"], [...vertical, "ccmp", "liga", "locl", "fwid", "ruby"]],
    ["NotoSansHK.ttf", ["kern", "palt", "vpal"], [...vertical, "ccmp", "liga", "locl", "fwid", "ruby"]],
    ["NotoSansSC.otf", ["kern", "palt", "vpal"], [...vertical, "ccmp", "liga", "locl", "fwid"]],
    ["NotoSansArabic-Regular.ttf", ["kern", "mark", "mkmk"], ["ccmp", "init", "medi", "fina", "liga", "rlig", "locl"]],
    ["NotoSansDevanagari-Bold.ttf", ["abvm", "blwm", "mark"], ["akhn", "half", "nukt", "rphf", "cjct", "locl"]],
    ["NotoSansMongolian.ttf", ["mark"], ["init", "medi", "fina", "rclt", "vert"]],
  ])("%s", (file, positioning, substitution) => {
    expect(face(file).getTableFeatureTags("GPOS")).toEqual(expect.arrayContaining(positioning));
    expect(face(file).getTableFeatureTags("GSUB")).toEqual(expect.arrayContaining(substitution));
  });
});

test("a family is named alike in all of its files, by the name that the file has", () => {
  for (const file of files.filter((name) => name.startsWith("Noto") && name !== "NotoSansSC.otf")) {
    const family = face(file).getName(FAMILY_NAME, "en");
    expect(file, family).toMatch(new RegExp(`^${family.replaceAll(" ", "")}[-.]`));
  }
});

test("the emoji font has its pictures once, as the table that Chromium draws from", () => {
  const emoji = face("NotoColorEmoji.ttf");
  expect(["COLR", "CPAL"].filter((tag) => !emoji.referenceTable(tag))).toEqual([]);
  expect(emoji.referenceTable("SVG ")).toBeUndefined();
});

const { variable, static: unvaried, whole } = limitedUseFamilies;

/** Every code point except surrogates, which have no script. */
const everyCharacter = Array.from({ length: 0x110000 }, (_, code) =>
  code >= 0xd800 && code < 0xe000 ? "" : String.fromCodePoint(code),
).join("");

test.each([...variable, ...unvaried, ...whole])(
  "%s has all of its script, except what is known to be missing",
  (family) => {
    const name = family.replace("Noto Sans ", "").replace("NKo", "Nko").replaceAll(" ", "_");
    const script = new RegExp(`\\p{Script=${name}}`, "gu");
    const covered = new Set(face(`${family.replaceAll(" ", "")}.ttf`).collectUnicodes());
    const characters = (everyCharacter.match(script) ?? []).map((character) => character.codePointAt(0) ?? 0);
    expect(characters.length).toBeGreaterThan(25);
    expect(characters.filter((code) => !covered.has(code))).toEqual(lacking[family] ?? []);
  },
);

/** Balinese letters and signs of Unicode 14 and 16, and the Syriac letters for Malayalam. */
const lacking: Readonly<Record<string, readonly number[]>> = {
  "Noto Sans Balinese": [0x1b4c, 0x1b4e, 0x1b4f, 0x1b7d, 0x1b7e, 0x1b7f],
  "Noto Sans Syriac": [0x860, 0x861, 0x862, 0x863, 0x864, 0x865, 0x866, 0x867, 0x868, 0x869, 0x86a],
};

test("says which characters its fonts lack, by script", () => {
  const missing = readMissingGlyphs(fonts);
  const isMissing = (character: string) =>
    new RegExp(missing.pattern, "u").test(character) &&
    scriptWithoutGlyph(missing, character.codePointAt(0) ?? 0) !== undefined;
  expect([..."\u{11700}\u{13000}\u{1c00}\u{17000}"].filter((character) => !isMissing(character))).toEqual([]);
  expect([..."aéжあ漢한ع😀Ꭰᠠ∑"].filter(isMissing)).toEqual([]);
  expect(scriptWithoutGlyph(missing, 0x13000)).toBe("Egyptian Hieroglyphs");
  expect(scriptWithoutGlyph(missing, 0x1d11e)).toBe("symbols");
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
