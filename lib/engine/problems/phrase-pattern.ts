// Compiles phrases into regular expressions, and finds them in texts as pages write them.
import { normalizeText } from "../injected/overlays/normalize-text.ts";
import { alternatives } from "../overlays/overlay-patterns.ts";

type Phrases = Readonly<Record<string, string>>;

const compiled = new WeakMap<Phrases, RegExp>();

/** Of all languages: a page can be in another language than it declares. */
function phrasePattern(phrases: Phrases): RegExp {
  const known = compiled.get(phrases) ?? new RegExp(phraseSource(phrases), "u");
  compiled.set(phrases, known);
  return known;
}

/** The source of the expression, for text from `normalizeText`. */
export function phraseSource(phrases: Phrases): string {
  return alternatives(words(phrases), "text");
}

/** The phrase that a text contains, normalized; undefined where it contains none. */
export function findPhrase(phrases: Phrases, text: string): string | undefined {
  return phrasePattern(phrases).exec(normalizeText(text))?.[0];
}

export function hasPhrase(phrases: Phrases, text: string): boolean {
  return findPhrase(phrases, text) !== undefined;
}

/** How clearly a text contains one of the phrases: 2 for several words, 1 for a single one, 0 for none. */
export function phraseStrength(phrases: Phrases, text: string): 0 | 1 | 2 {
  let strength: 0 | 1 | 2 = 0;
  for (const [match] of normalizeText(text).matchAll(new RegExp(phrasePattern(phrases), "gu"))) {
    const isUnspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(
      match,
    );
    if (isUnspaced ? match.length > 3 : match.includes(" ")) return 2;
    strength = 1;
  }
  return strength;
}

function words(phrases: Phrases): string[] {
  return Object.values(phrases).flatMap((list) => list.split(", "));
}

/** The source of an expression for normalized texts that begin with one of the phrases, or end with a longer one. */
export function noticeSource(phrases: Phrases): string {
  const long = words(phrases).filter(
    (phrase) =>
      phrase.includes(" ") || /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(phrase),
  );
  return `^(?:${phraseSource(phrases)})|(?:${alternatives(long, "text")})$`;
}
