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
