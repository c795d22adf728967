// Text that is shown as empty boxes, because no font has a glyph for it: told as a warning.
import { scriptWithoutGlyph } from "../browser/missing-glyphs.ts";
import { softAllowance } from "../pipeline/budget.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";
import { withTimeout } from "../pipeline/with-timeout.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";

/** Longest wait for the page's answer: a page that is too busy is captured without the warning. */
const ANSWER_MS = 500;

/** A page of this size is read in about 20 ms; the rest of a larger one is not looked at. */
const LIMITS = { elements: 20_000, texts: 20_000, characters: 2_000_000, measured: 500 };

const MAX_SCRIPTS = 5;

/**
 * Warns of characters that the page shows and no font has a glyph for, neither an installed one nor one of the page.
 * `isWhole` says that all of the page is captured, otherwise it is the area of the capture.
 */
export async function warnOfMissingGlyphs(capturing: CaptureState, isWhole: boolean): Promise<void> {
  const { area, budget, now, session, warnings } = capturing;
  const { missingGlyphs } = session;
  const part = isWhole ? {} : { from: area.y, to: area.y + area.height };
  const search = { pattern: missingGlyphs.pattern, limits: LIMITS, ...part };
  const look = async () => {
    const isSuspect = await evaluateInIsolatedWorld(capturing, "containsSuspects", search.pattern, LIMITS.elements);
    return isSuspect ? evaluateInIsolatedWorld(capturing, "charactersWithoutGlyph", search) : [];
  };
  const found = await withTimeout(look(), softAllowance(budget, now(), ANSWER_MS)).catch(() => undefined);
  const counts = new Map<string, number>();
  for (const [character, count] of found ?? []) {
    const script = scriptWithoutGlyph(missingGlyphs, character.codePointAt(0) ?? 0);
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + count);
  }
  if (counts.size > 0) warnings.push(missingGlyphsWarning(counts));
}

/** The warning, from the number of characters of each script. */
export function missingGlyphsWarning(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const names = [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  const more = names.length > MAX_SCRIPTS ? ` and ${names.length - MAX_SCRIPTS} more` : "";
  const [characters, scripts] = [
    total === 1 ? "character has" : "characters have",
    names.length === 1 ? "script" : "scripts",
  ];
  return `${total} ${characters} no glyph in any installed font (${scripts}: ${names.slice(0, MAX_SCRIPTS).join(", ")}${more}).`;
}
