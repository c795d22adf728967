// GLYPHS_MISSING: no font has a glyph for some of the characters, which are drawn as empty boxes (tofu).
import { isVisual, type ProblemRule } from "../problem-rule.ts";

const MAX_SCRIPTS = 5;

export const glyphsMissing: ProblemRule = {
  code: "GLYPHS_MISSING",
  isJudged: isVisual,
  find({ observed, scriptsWithoutGlyphs: counts }) {
    if (counts.size === 0) return undefined;
    return {
      message: missingGlyphsMessage(counts),
      evidence: {
        count: [...counts.values()].reduce((sum, count) => sum + count, 0),
        text: observed.glyphs
          .map(([character]) => character)
          .join("")
          .slice(0, 40)
          .toWellFormed(),
      },
      isWarned: true,
    };
  },
};

/** The message, from the number of characters per script. */
export function missingGlyphsMessage(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const names = [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  const more = names.length > MAX_SCRIPTS ? ` and ${names.length - MAX_SCRIPTS} more` : "";
  const [characters, scripts] = [
    total === 1 ? "character has" : "characters have",
    names.length === 1 ? "script" : "scripts",
  ];
  return `${total} ${characters} no glyph in any installed font (${scripts}: ${names.slice(0, MAX_SCRIPTS).join(", ")}${more}).`;
}
