// Splits texts into words, and words into the terms of the index: as written, as a stem, and names of options by their parts.
import { stemmer } from "stemmer";

export interface Word {
  readonly text: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** `C#` and `C++` are words; a name such as `full_page` is one, too. */
const WORD = /\bc(?:#|\+\+)|[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/giu;

export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: match, index }) => ({
    text: match,
    start: index,
    end: index + match.length,
  }));
}

/** The parts of a name, in lower case: `full_page` has two, an ordinary word one. */
export const partsOf = (word: string): string[] => word.toLowerCase().split(/[_-]/);

/** The stem of an English word in lower case (Porter's algorithm): `prices` and `pricing` have the same. */
export const stem = (part: string): string => (/^[a-z]+$/.test(part) ? stemmer(part) : part);

/** The terms under which a word is in the index. A name is there joined, too, because people leave out its separators. */
export function termsOf(word: string): string[] {
  const parts = partsOf(word);
  const joined = parts.length > 1 ? [parts.join("")] : [];
  return [...new Set([...joined, ...parts.flatMap((part) => [part, stem(part)])])];
}
