// Reads a query: for each of its words, the terms that would do as well, such as its stem, synonyms, or the word without a typo.
import { editDistance } from "./edit-distance.ts";
import { isCommonWord, isStopWord, MAX_PHRASE_WORDS, phraseKey, synonyms } from "./synonyms.ts";
import { partsOf, stem, termsOf, type Word, wordsOf } from "./words.ts";

/** Terms that must occur together, and what they count compared with the word itself. */
export interface Alternative {
  readonly terms: readonly string[];
  readonly weight: number;
  /** Whether terms that begin with these match, too. */
  readonly isPrefix?: boolean;
}

/** A word or phrase of the query. One of its alternatives must match. */
export interface QueryPart {
  readonly alternatives: readonly Alternative[];
  /** Its weight relative to the other parts. */
  readonly weight: number;
}

/** Shorter words have too many neighbors. */
const MIN_LENGTH_OF_TYPOS = 4;
const MIN_LENGTH_OF_TWO_TYPOS = 8;
const MIN_LENGTH_OF_HALVES = 3;

const COMMON_WORD_WEIGHT = 0.3;
const MEANING_WEIGHT = 0.9;
const FURTHER_MEANING_WEIGHT = 0.7;
/** A correction is a guess, and one of two edits a bolder one. */
const CORRECTION_WEIGHTS = [1, 0.8, 0.6];

/** `vocabulary` are the terms of the index. */
export function parseQuery(query: string, vocabulary: ReadonlySet<string>): QueryPart[] {
  const all = wordsOf(query);
  const isQuestion = all.some(({ text }) => !isStopWord(text));
  const parts: QueryPart[] = [];
  for (let index = 0; index < all.length; ) {
    const { words, alternatives } = phraseAt(all, index, vocabulary);
    const isSaying = words.length > 1 || alternatives.length > 0 || !isQuestion || !isStopWord(words[0]?.text ?? "");
    index += words.length;
    if (isSaying) {
      const isTyped = index === all.length && !/\s$/.test(query);
      parts.push({
        alternatives: [...literal(words, { vocabulary, isTyped }), ...alternatives],
        weight: words.every(({ text }) => isCommonWord(text)) ? COMMON_WORD_WEIGHT : words.length,
      });
    }
  }
  return parts;
}

/** The longest phrase from a word on that has synonyms or that is written as one word, too; otherwise the word. */
function phraseAt(all: readonly Word[], index: number, vocabulary: ReadonlySet<string>) {
  for (let length = Math.min(MAX_PHRASE_WORDS, all.length - index); length > 0; length--) {
    const words = all.slice(index, index + length);
    const alternatives = meaningsOf(phraseKey(words));
    const joined = words.map(({ text }) => text.toLowerCase()).join("");
    const isJoined = length > 1 && vocabulary.has(joined) && !words.some(({ text }) => isStopWord(text));
    if (isJoined) alternatives.push({ terms: [joined], weight: 1 });
    if (alternatives.length > 0) return { words, alternatives };
  }
  return { words: all.slice(index, index + 1), alternatives: [] };
}

/** A meaning is the name of an option or words that occur together. */
function meaningsOf(phrase: string): Alternative[] {
  return (synonyms.get(phrase) ?? []).map((meaning, place) => ({
    terms: meaning.split(" ").map((word) => (word.includes("_") ? partsOf(word).join("") : stem(word))),
    weight: place === 0 ? MEANING_WEIGHT : FURTHER_MEANING_WEIGHT,
  }));
}

interface Reading {
  readonly vocabulary: ReadonlySet<string>;
  /** True for the end of a query, which may still be typed. */
  readonly isTyped: boolean;
}

function literal(words: readonly Word[], reading: Reading): Alternative[] {
  const [word] = words;
  if (word && words.length === 1) return oneWord(word.text, reading);
  const saying = words.filter(({ text }) => !isStopWord(text)).map(({ text }) => stem(text.toLowerCase()));
  return [{ terms: saying, weight: 1 }];
}

function oneWord(word: string, { vocabulary, isTyped }: Reading): Alternative[] {
  const parts = partsOf(word);
  if (parts.length > 1) {
    return [
      { terms: [parts.join("")], weight: 1.2, isPrefix: isTyped },
      { terms: parts.map(stem), weight: 1 },
    ];
  }
  const [text = ""] = parts;
  const known = termsOf(text).filter((term) => vocabulary.has(term));
  const exact = known.map((term): Alternative => ({ terms: [term], weight: 1 }));
  const typed: Alternative = { terms: [text], weight: 1, isPrefix: true };
  if (known.length > 0) return isTyped ? [...exact, typed] : exact;
  return [typed, ...halves(text, vocabulary), ...corrections(text, vocabulary)];
}

/** `fullpage` is "full page". */
function halves(word: string, vocabulary: ReadonlySet<string>): Alternative[] {
  const found: Alternative[] = [];
  for (let length = MIN_LENGTH_OF_HALVES; length <= word.length - MIN_LENGTH_OF_HALVES; length++) {
    const pair = [word.slice(0, length), word.slice(length)].map(stem);
    if (pair.every((half) => vocabulary.has(half))) found.push({ terms: pair, weight: 1 });
  }
  return found;
}

/** The words of the index and of the synonyms that are fewest edits away, for a word that has a typo. */
function corrections(word: string, vocabulary: ReadonlySet<string>): Alternative[] {
  const isBeginning = [...vocabulary].some((term) => term.startsWith(word)); // it is still being typed
  if (word.length < MIN_LENGTH_OF_TYPOS || isBeginning) return [];
  const maxEdits = word.length < MIN_LENGTH_OF_TWO_TYPOS ? 1 : 2;
  const near = [...new Set([...vocabulary, ...synonyms.keys()])].map((term) => ({
    term,
    // A stem is compared with the stem, so that endings count no edits.
    edits: Math.min(...[word, stem(word)].map((form) => editDistance(form, term, maxEdits))),
  }));
  const fewest = Math.min(...near.map(({ edits }) => edits));
  if (fewest > maxEdits) return [];
  const weight = CORRECTION_WEIGHTS[fewest] ?? 0;
  return near
    .filter(({ edits }) => edits === fewest)
    .flatMap(({ term }) => [{ terms: [term], weight: 1 }, ...meaningsOf(term)])
    .map((alternative) => ({ ...alternative, weight: alternative.weight * weight }));
}
