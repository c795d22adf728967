// The font families of the layer, and the npm packages that have their files.
import { join } from "node:path";

/** Families that web pages name or mean, as whole TrueType files in four styles. */
export const textFamilies: Readonly<Record<string, string>> = {
  arimo: "Arimo", // as wide as Arial and Helvetica
  tinos: "Tinos", // as Times New Roman
  cousine: "Cousine", // as Courier New
  carlito: "Carlito", // as Calibri
  caladea: "Caladea", // as Cambria
  gelasio: "Gelasio", // as Georgia
  "noto-sans": "NotoSans", // for interfaces, and Latin, Greek and Cyrillic in full
};

export const textStyles = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"];

/** Symbols and emoji, one style each. */
export const symbolFamilies: Readonly<Record<string, string>> = {
  "noto-sans-symbols": "NotoSansSymbols",
  "noto-sans-symbols-2": "NotoSansSymbols2",
  "noto-sans-math": "NotoSansMath",
  "noto-color-emoji": "NotoColorEmoji",
};

/**
 * Scripts in two weights. Of each, one slice is taken: the one of the script, which has all of its ligatures, marks and
 * kerning. The whole fonts (`@expo-google-fonts`) add Latin letters, which Noto Sans has, and 2 MB.
 */
export const scriptFamilies = [
  "Noto Sans Arabic",
  "Noto Sans Armenian",
  "Noto Sans Bengali",
  "Noto Sans Devanagari",
  "Noto Sans Ethiopic",
  "Noto Sans Georgian",
  "Noto Sans Gujarati",
  "Noto Sans Gurmukhi",
  "Noto Sans Hebrew",
  "Noto Sans Kannada",
  "Noto Sans Khmer",
  "Noto Sans Lao",
  "Noto Sans Malayalam",
  "Noto Sans Myanmar",
  "Noto Sans Oriya",
  "Noto Sans Sinhala",
  "Noto Sans Tamil",
  "Noto Sans Telugu",
  "Noto Sans Thai",
  "Noto Serif Tibetan",
];

/** Script families that are taken whole after all: the slice names its family "Noto Sans Hebrew Thin". */
export const wholeScriptFamilies: readonly string[] = ["Noto Sans Hebrew"];

export const scriptWeights = { Regular: 400, Bold: 700 } as const;

/**
 * The scripts that Unicode lists as in limited use (UAX #31, table 7), Mongolian and Buginese, in one weight: Chromium
 * synthesizes bold. Grouped by what npm has: one slice of a variable font, one slice of a static font, a whole file.
 * Batak, Lepcha, Mandaic, Saurashtra and Wancho are missing because npm has no current package with a licence for them.
 */
export const limitedUseFamilies = {
  variable: [
    "Noto Sans Adlam",
    "Noto Sans Balinese",
    "Noto Sans Bamum",
    "Noto Sans Canadian Aboriginal",
    "Noto Sans Cham",
    "Noto Sans Cherokee",
    "Noto Sans Hanifi Rohingya",
    "Noto Sans Javanese",
    "Noto Sans Kayah Li",
    "Noto Sans Lisu",
    "Noto Sans Meetei Mayek",
    "Noto Sans New Tai Lue",
    "Noto Sans Ol Chiki",
    "Noto Sans Sundanese",
    "Noto Sans Syriac",
    "Noto Sans Tai Tham",
    "Noto Sans Thaana",
  ],
  static: [
    "Noto Sans Buginese",
    "Noto Sans Limbu",
    "Noto Sans Miao",
    "Noto Sans Mongolian",
    "Noto Sans Newa",
    "Noto Sans NKo",
    "Noto Sans Osage",
    "Noto Sans Syloti Nagri",
    "Noto Sans Tai Le",
    "Noto Sans Tai Viet",
    "Noto Sans Tifinagh",
    "Noto Sans Vai",
  ],
  whole: ["Noto Sans Chakma", "Noto Sans Yi"],
} as const;

/**
 * Traditional Chinese, Japanese and Korean: whole fonts, with kerning and substitutions (GSUB) such as vertical forms. In
 * one weight, because a second one takes 26 MB more; Chromium synthesizes bold.
 */
export const cjkFamilies = ["Noto Sans JP", "Noto Sans KR", "Noto Sans TC", "Noto Sans HK"];

/** Simplified Chinese, and the rare characters that the other four lack. As CFF outlines it is 2 MB smaller than as TrueType. */
export const simplifiedChinese = { package: "@embedpdf/fonts-sc", file: "fonts/NotoSansHans-Regular.otf" };

const slicedScriptFamilies = scriptFamilies.filter((family) => !wholeScriptFamilies.includes(family));

/** The npm packages that the files come from. */
export const packages: readonly string[] = [
  ...[
    ...[...Object.keys(textFamilies), ...Object.keys(symbolFamilies)],
    ...[...wholeScriptFamilies, ...limitedUseFamilies.whole, ...cjkFamilies].map(kebab),
  ].map((name) => `@expo-google-fonts/${name}`),
  ...limitedUseFamilies.variable.map((family) => `@fontsource-variable/${kebab(family)}`),
  ...[...slicedScriptFamilies, ...limitedUseFamilies.static].map((family) => `@fontsource/${kebab(family)}`),
  simplifiedChinese.package,
];

/** The folder of an installed package. */
export function packageFolder(name: string): string {
  return join(import.meta.dirname, "../../node_modules", name);
}

/** A family's name as packages and their files spell it. */
export function kebab(family: string): string {
  return family.toLowerCase().replaceAll(" ", "-");
}
