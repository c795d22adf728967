// Finds phrases in texts as pages write them: by their words, which is faster than one regular expression for thousands of phrases.
import { normalizeText } from "../overlays/normalize-text.ts";

/** Any words, up to this number, where a phrase has `**` between two words. */
const MAX_GAP = 4;

/** Scripts without spaces between words: Kana, Han, Hangul, Thai. */
const UNSPACED = /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/** A phrase of more characters than this, in such a script, is as clear as one of several words. */
const CLEAR_CHARACTERS = 3;

/** How clearly a text contains a phrase: 2 for several words, 1 for a single one, 0 for none. */
export type PhraseStrength = 0 | 1 | 2;

interface Match {
  readonly strength: 1 | 2;
  /** True where the text begins, or ends, with it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export class PhraseMatcher {
  /** Phrases by their first word; those whose first word is open-ended; and those without spaces by their first character. */
  readonly #byWord = new Map<string, string[][]>();
  readonly #openEnded: string[][] = [];
  readonly #unspaced = new Map<string, string[]>();

  /** Phrases as `normalizeText` returns them. In one, `*` stands for the rest of a word, and `**` for some words. */
  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) {
      if (UNSPACED.test(phrase)) this.#add(this.#unspaced, phrase.charAt(0), phrase);
      else this.#addWords(splitWords(phrase));
    }
  }

  has(text: string): boolean {
    return !this.#matches(text).next().done;
  }

  strength(text: string): PhraseStrength {
    let strongest: PhraseStrength = 0;
    for (const { strength } of this.#matches(text)) {
      if (strength === 2) return 2;
      strongest = strength;
    }
    return strongest;
  }

  /** True for a text that begins with a phrase, or ends with a clear one. */
  isNotice(text: string): boolean {
    for (const { isFirst, isLast, strength } of this.#matches(text)) {
      if (isFirst || (isLast && strength === 2)) return true;
    }
    return false;
  }

  #addWords(phrase: string[]): void {
    while (phrase.at(-1) === "**") phrase.pop();
    const [first] = phrase;
    if (first === undefined) return;
    if (first.endsWith("*")) this.#openEnded.push(phrase);
    else this.#add(this.#byWord, first, phrase);
  }

  #add<T>(map: Map<string, T[]>, key: string, value: T): void {
    const known = map.get(key);
    if (known) known.push(value);
    else map.set(key, [value]);
  }

  *#matches(text: string): Generator<Match> {
    const { normalized, words } = normalize(text);
    for (let index = 0; index < words.length; index++) {
      const word = words[index] as string;
      for (const phrase of this.#byWord.get(word) ?? []) {
        const end = matchEnd(phrase, words, index);
        if (end > 0) yield spacedMatch(phrase, index, end === words.length);
      }
      for (const phrase of this.#openEnded) {
        const end = matchEnd(phrase, words, index);
        if (end > 0) yield spacedMatch(phrase, index, end === words.length);
      }
    }
    if (this.#unspaced.size === 0 || !/[\u0e00-\u0e7f\u3040-\ud7af\uf900-\ufaff]/.test(normalized)) return;
    for (let index = 0; index < normalized.length; index++) {
      for (const phrase of this.#unspaced.get(normalized.charAt(index)) ?? []) {
        if (!normalized.startsWith(phrase, index)) continue;
        const strength = phrase.length > CLEAR_CHARACTERS ? 2 : 1;
        yield { strength, isFirst: index === 0, isLast: index + phrase.length === normalized.length };
      }
    }
  }
}

interface NormalizedText {
  readonly normalized: string;
  readonly words: readonly string[];
}

/** Several matchers look at the same texts. */
const MAX_KNOWN = 500;
const known = new Map<string, NormalizedText>();

function normalize(text: string): NormalizedText {
  const found = known.get(text);
  if (found) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const normalized = normalizeText(text);
  const result = { normalized, words: splitWords(normalized) };
  known.set(text, result);
  return result;
}

function spacedMatch(phrase: readonly string[], index: number, isLast: boolean): Match {
  return { strength: phrase.length > 1 ? 2 : 1, isFirst: index === 0, isLast };
}

/** The index after the phrase that starts at `start`; 0 where it does not. */
function matchEnd(phrase: readonly string[], words: readonly string[], start: number): number {
  let at = start;
  for (let index = 0; index < phrase.length; index++) {
    const part = phrase[index] as string;
    if (part === "**") {
      const rest = phrase.slice(index + 1);
      for (let gap = 0; gap <= MAX_GAP; gap++) {
        const end = matchEnd(rest, words, at + gap);
        if (end > 0) return end;
      }
      return 0;
    }
    const word = words[at++];
    if (word === undefined) return 0;
    if (part.endsWith("*") ? !word.startsWith(part.slice(0, -1)) : word !== part) return 0;
  }
  return at;
}

/** In Arabic, "and", "in", "for" and "the" are written as the beginning of the next word. */
function splitWords(normalized: string): string[] {
  if (normalized === "") return [];
  const words = normalized.split(" ");
  return /[\u0600-\u06ff]/.test(normalized) ? words.map((word) => word.replace(/^(?:[وبل]?ال|لل)(?=..)/, "")) : words;
}
