// What a result shows: its title and a piece of its text around the matches, with the matching words marked.
import type { SearchDocument } from "./search-document.ts";
import { partsOf, stem, wordsOf } from "./words.ts";

export interface Fragment {
  readonly text: string;
  readonly isCode: boolean;
  readonly isMatch: boolean;
}

/** About two lines of the dialog. */
const EXCERPT_CHARACTERS = 170;
const CHARACTERS_BEFORE_MATCH = 40;
/** Shorter code is a name or a value in a sentence. */
const PROGRAM_CHARACTERS = 80;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text with its matches marked. */
export function markMatches(text: string, terms: readonly string[], isCode = false): Fragment[] {
  return slice(text, matchesIn(text, new Set(terms)), { start: 0, end: text.length }).map((each) => ({
    ...each,
    isCode,
  }));
}

/** The piece of the text that has the most different matches; the beginning if there are none. */
export function excerptOf({ runs }: SearchDocument, terms: readonly string[]): Fragment[] {
  const wanted = new Set(terms);
  const matches = runs.map((run) => matchesIn(run, wanted));
  const starts = runs.map((_, place) => runs.slice(0, place).join("").length);
  const text = runs.join("");
  const shifted = matches.map((ofRun, place) => ofRun.map((range) => shift(range, starts[place] ?? 0)));
  // A sentence says more than a program, which is shown where the words are in programs alone.
  const inSentences = shifted
    .filter((_, place) => place % 2 === 0 || (runs[place] ?? "").length < PROGRAM_CHARACTERS)
    .flat();
  const window = bestWindow(text, inSentences.length > 0 ? inSentences : shifted.flat());
  const fragments = runs.flatMap((run, place) => {
    const start = starts[place] ?? 0;
    const part = { start: Math.max(0, window.start - start), end: Math.min(run.length, window.end - start) };
    if (part.start >= part.end) return [];
    return slice(run, matches[place] ?? [], part).map((each) => ({ ...each, isCode: place % 2 === 1 }));
  });
  const ellipsis = (isCut: boolean) => (isCut ? [{ text: "…", isCode: false, isMatch: false }] : []);
  return [...ellipsis(window.start > 0), ...fragments, ...ellipsis(window.end < text.length)];
}

const shift = ({ start, end }: Range, by: number): Range => ({ start: start + by, end: end + by });

/** Words with one of the terms; of a name such as `full_page_scroll`, the parts that have one. */
function matchesIn(text: string, terms: ReadonlySet<string>): Range[] {
  return wordsOf(text).flatMap(({ text: word, start, end }) => {
    const parts = partsOf(word);
    if (parts.length > 1 && terms.has(parts.join(""))) return [{ start, end }];
    let offset = start;
    return parts.flatMap((part) => {
      const range = { start: offset, end: offset + part.length };
      offset = range.end + 1;
      return terms.has(part) || terms.has(stem(part)) ? [range] : [];
    });
  });
}

function bestWindow(text: string, matches: readonly Range[]): Range {
  const [first] = matches;
  if (!first) return { start: 0, end: endOfWord(text, EXCERPT_CHARACTERS) };
  const differentFrom = ({ start }: Range) => {
    const last = start + EXCERPT_CHARACTERS - CHARACTERS_BEFORE_MATCH;
    const inWindow = matches.filter((each) => each.start >= start && each.end <= last);
    return new Set(inWindow.map((each) => text.slice(each.start, each.end).toLowerCase())).size;
  };
  const best = matches.reduce((chosen, each) => (differentFrom(each) > differentFrom(chosen) ? each : chosen), first);
  const start = startOfWord(text, best.start - CHARACTERS_BEFORE_MATCH);
  return { start, end: endOfWord(text, start + EXCERPT_CHARACTERS) };
}

/** The beginning of the first whole word from a place on. */
function startOfWord(text: string, place: number): number {
  return place <= 0 ? 0 : text.indexOf(" ", place) + 1;
}

function endOfWord(text: string, place: number): number {
  return place >= text.length ? text.length : Math.max(text.lastIndexOf(" ", place), place - CHARACTERS_BEFORE_MATCH);
}

function slice(text: string, matches: readonly Range[], { start, end }: Range): Omit<Fragment, "isCode">[] {
  const fragments: Omit<Fragment, "isCode">[] = [];
  let place = start;
  for (const match of matches) {
    const [from, to] = [Math.max(match.start, start), Math.min(match.end, end)];
    if (from >= to) continue;
    if (from > place) fragments.push({ text: text.slice(place, from), isMatch: false });
    fragments.push({ text: text.slice(from, to), isMatch: true });
    place = to;
  }
  if (place < end) fragments.push({ text: text.slice(place, end), isMatch: false });
  return fragments;
}
