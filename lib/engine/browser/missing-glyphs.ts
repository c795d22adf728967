// What the fonts layer says of itself: which characters no installed font has a glyph for.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** First and last code point. */
export type CodePointRange = [first: number, last: number];

export interface MissingGlyphs {
  /** Source of a regular expression with the flag `u` that matches all of the characters, and a few that have a glyph. */
  readonly pattern: string;
  /** Where they are, by the name of their script; `symbols` are those that no script has to itself. */
  readonly scripts: Readonly<Record<string, readonly CodePointRange[]>>;
}

/** The file of the layer, below its folder `fonts`. */
export const MISSING_GLYPHS_FILE = "missing-glyphs.json";

/** Reads the file of the layer at `fonts`. */
export function readMissingGlyphs(fonts: string): MissingGlyphs {
  return JSON.parse(readFileSync(join(fonts, MISSING_GLYPHS_FILE), "utf8"));
}

/** The name of the script of a character without a glyph; undefined for one that installed fonts have. */
export function scriptWithoutGlyph({ scripts }: MissingGlyphs, code: number): string | undefined {
  const isIn = ([first, last]: CodePointRange) => first <= code && code <= last;
  return Object.keys(scripts).find((name) => scripts[name]?.some(isIn));
}
