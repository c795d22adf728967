// Finds the phrases of pages with problems in texts.
import { normalizeText } from "../injected/overlays/normalize-text.ts";
import { PhraseMatcher, type PhraseStrength } from "../injected/text/phrase-matcher.ts";
import type { Phrases } from "./phrases.ts";

const matchers = new WeakMap<Phrases, PhraseMatcher>();

/** Of all languages: a page can be in another language than it declares. */
function matcherFor(phrases: Phrases): PhraseMatcher {
  const known = matchers.get(phrases) ?? new PhraseMatcher(listPhrases(phrases));
  matchers.set(phrases, known);
  return known;
}

export function hasPhrase(phrases: Phrases, text: string): boolean {
  return matcherFor(phrases).has(text);
}

export function phraseStrength(phrases: Phrases, text: string): PhraseStrength {
  return matcherFor(phrases).strength(text);
}

/** All of them, normalized. */
export function listPhrases(phrases: Phrases): string[] {
  const all = Object.values(phrases).flatMap((list) => list.split(", "));
  return [...new Set(all.map(normalizeText))];
}
