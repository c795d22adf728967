// Missing glyphs: the characters that no font of the fonts layer can display.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** First and last code point. */
export type CodePointRange = [first: number, last: number];

export interface MissingGlyphs {
  /** Source of a regular expression (flag `u`) that matches all these characters, and a few that have a glyph. */
  readonly pattern: string;
  /** Code point ranges by script name; `symbols` are those that belong to no single script. */
  readonly scripts: Readonly<Record<string, readonly CodePointRange[]>>;
}

/** File name in the layer's folder `fonts`. */
export const MISSING_GLYPHS_FILE = "missing-glyphs.json";

/** Reads that file from the folder `fonts`. */
export function readMissingGlyphs(fonts: string): MissingGlyphs {
  return JSON.parse(readFileSync(join(fonts, MISSING_GLYPHS_FILE), "utf8"));
}

/** Returns the script of a character without a glyph; undefined for a character that installed fonts have. */
export function scriptWithoutGlyph({ scripts }: MissingGlyphs, code: number): string | undefined {
  const isIn = ([first, last]: CodePointRange) => first <= code && code <= last;
  return Object.keys(scripts).find((name) => scripts[name]?.some(isIn));
}
