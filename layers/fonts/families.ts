// The fonts of the layer: which families there are, and in which files of which packages.
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

/** Scripts that are one slice of a variable font; two weights of each are made. */
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

export const scriptWeights: Readonly<Record<string, number>> = { Regular: 400, Bold: 700 };

/**
 * The scripts that Unicode lists as in limited use (UAX #31, table 7), Mongolian and Buginese, in one weight: bold is
 * synthesised. By how npm has them: as one slice of a variable font, as one slice of a static font, as a whole file.
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

/** Scripts of so many characters that they are published in slices; their bold is synthesised, which saves 30 MB. */
export const slicedFamilies = ["Noto Sans JP", "Noto Sans KR", "Noto Sans TC", "Noto Sans HK"];

/** Simplified Chinese, and every rarer character that the slices leave out. */
export const wholeFont = { package: "@embedpdf/fonts-sc", file: "fonts/NotoSansHans-Regular.otf" };

export const packages: readonly string[] = [
  ...[...Object.keys(textFamilies), ...Object.keys(symbolFamilies), ...limitedUseFamilies.whole.map(kebab)].map(
    (name) => `@expo-google-fonts/${name}`,
  ),
  ...[...scriptFamilies, ...slicedFamilies, ...limitedUseFamilies.variable].map(
    (family) => `@fontsource-variable/${kebab(family)}`,
  ),
  ...limitedUseFamilies.static.map((family) => `@fontsource/${kebab(family)}`),
  wholeFont.package,
];

export function packageFolder(name: string): string {
  return join(import.meta.dirname, "../../node_modules", name);
}

/** A family's name as packages and their files spell it. */
export function kebab(family: string): string {
  return family.toLowerCase().replaceAll(" ", "-");
}
