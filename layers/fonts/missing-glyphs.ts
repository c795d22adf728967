// Finds the characters that no font of the layer has a glyph for, by script: a capture of a page that shows one warns of it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { CodePointRange, MissingGlyphs } from "../../lib/engine/browser/missing-glyphs.ts";
import { openFace } from "./face.ts";
import { scriptNames } from "./script-names.ts";

/** Assigned characters that leave ink: no control, space, private-use or default-ignorable ones. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

const LAST_CODE_POINT = 0x10ffff;

/** Characters with a glyph between two without one are part of one range up to this many: fewer ranges are found sooner. */
const MAX_GAP = 16;

/**
 * Finds the visible characters that no font in a folder has, as the Unicode version of this Node.js knows them. The
 * ranges are a superset: a character in one of them may still have a glyph.
 */
export function findMissingGlyphs(folder: string): MissingGlyphs {
  const covered = new Set<number>();
  for (const file of readdirSync(folder)) {
    for (const code of openFace(join(folder, file)).collectUnicodes()) covered.add(code);
  }
  const patterns = scriptNames.flatMap((name) => scriptPattern(name) ?? []);
  const scripts: Record<string, CodePointRange[]> = {};
  const all: CodePointRange[] = [];
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    const character = String.fromCodePoint(code);
    if (covered.has(code) || !VISIBLE.test(character)) continue;
    const script = patterns.find(({ pattern }) => pattern.test(character))?.name;
    if (script === undefined) throw new Error(`script-names.ts lacks the script of U+${code.toString(16)}.`);
    scripts[script] ??= [];
    extend(scripts[script], code);
    extend(all, code);
  }
  return { pattern: `[${all.map((range) => range.map(escaped).join("-")).join("")}]`, scripts };
}

/** The name of a script as a reader knows it, and a pattern of its characters; undefined where this Node.js is too old. */
function scriptPattern(property: string): { name: string; pattern: RegExp } | undefined {
  try {
    const name = property === "Common" || property === "Inherited" ? "symbols" : property.replaceAll("_", " ");
    return { name, pattern: new RegExp(`\\p{Script=${property}}`, "u") };
  } catch {
    return undefined;
  }
}

function extend(ranges: CodePointRange[], code: number): void {
  const last = ranges.at(-1);
  if (last && code - last[1] <= MAX_GAP) last[1] = code;
  else ranges.push([code, code]);
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
