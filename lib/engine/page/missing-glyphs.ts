// Warns of missing glyphs: text shown as empty boxes (tofu), because no font has a glyph for it.
import * as v from "valibot";
import { scriptWithoutGlyph } from "../browser/missing-glyphs.ts";
import type { Area } from "../geometry/area.ts";
import type * as missingGlyphs from "../injected/missing-glyphs.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

/** Longest wait for the page; one too busy to answer is captured without the warning. */
const SEARCH_TIMEOUT_MS = 500;

/** A page of this size takes about 20 ms; of a larger one only this part is searched. */
const LIMITS = { elements: 20_000, texts: 20_000, characters: 2_000_000, measured: 500 };

const MAX_SCRIPTS = 5;

/**
 * Adds a warning for visible characters that neither an installed font nor a web font has. Searches the whole page if
 * `isWhole`, else the captured area.
 */
export async function warnOfMissingGlyphs(
  capturing: CapturedPage & { readonly area: Area },
  isWhole: boolean,
): Promise<void> {
  const { area, budget, now, session, warnings } = capturing;
  const { missingGlyphs } = session;
  const part = isWhole ? {} : { from: area.y, to: area.y + area.height };
  const search = { pattern: missingGlyphs.pattern, limits: LIMITS, ...part };
  const searchPage = async () => {
    const isSuspect = await evaluateInIsolatedWorld(capturing, containsSuspects, search.pattern, LIMITS.elements);
    return isSuspect ? evaluateInIsolatedWorld(capturing, charactersWithoutGlyph, search) : [];
  };
  const found = await withTimeout(searchPage(), softAllowance(budget, now(), SEARCH_TIMEOUT_MS)).catch(() => undefined);
  const counts = new Map<string, number>();
  for (const [character, count] of found ?? []) {
    const script = scriptWithoutGlyph(missingGlyphs, character.codePointAt(0) ?? 0);
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + count);
  }
  if (counts.size > 0) warnings.push(missingGlyphsWarning(counts));
}

/** The warning text, from the number of characters per script. */
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

const charactersWithoutGlyph: PageFunction<typeof missingGlyphs.charactersWithoutGlyph> = pageFunction(
  "core",
  "charactersWithoutGlyph",
  { result: v.array(v.tuple([v.string(), v.number()])) },
);

const containsSuspects: PageFunction<typeof missingGlyphs.containsSuspects> = pageFunction("core", "containsSuspects", {
  result: v.boolean(),
});
