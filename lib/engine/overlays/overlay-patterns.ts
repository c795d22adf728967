// Compiles the vocabulary of overlays into regular expressions, as the page script takes them.
import { normalizeText } from "../injected/overlays/normalize-text.ts";
import type { OverlayPatterns } from "../injected/overlays/patterns.ts";
import { gate, names, paid, vocabulary, type Words } from "../injected/overlays/vocabulary.ts";

let compiled: OverlayPatterns | undefined;

/** Compiled once per process. */
export function overlayPatterns(): OverlayPatterns {
  compiled ??= {
    cookie: wordsPattern("cookie"),
    privacy: wordsPattern("privacy"),
    context: wordsPattern("context"),
    reject: wordsPattern("reject"),
    all: wordsPattern("all"),
    only: wordsPattern("only"),
    needed: wordsPattern("needed"),
    accept: wordsPattern("accept"),
    settings: wordsPattern("settings"),
    close: wordsPattern("close"),
    later: wordsPattern("later"),
    offer: wordsPattern("offer"),
    paid: alternatives(paid.split(", ")),
    age: alternatives(gate.age.split(", ")),
    yes: alternatives(gate.yes.split(", ")),
    no: alternatives(gate.no.split(", ")),
    leave: alternatives(gate.leave.split(", ")),
    overlayNames: namePattern(names.overlay),
    gateNames: namePattern(names.gate),
    chatNames: namePattern(names.chat),
    consentNames: namePattern(names.consent),
  };
  return compiled;
}

/** Of all languages: a page can be in another language than it declares. */
function wordsPattern(kind: keyof Words): string {
  return alternatives(Object.values(vocabulary).flatMap((words) => words[kind].split(", ")));
}

/** A character of a word. `normalizeText` leaves no punctuation, and Unicode classes of letters are slower. */
const INNER = "[^ ]";

/** Whole words; in scripts without spaces between words, any substring. */
function alternatives(words: readonly string[]): string {
  const unspaced: string[] = [];
  const spaced: string[] = [];
  for (const word of new Set(words.map(normalizeText))) {
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word))
      unspaced.push(escapeSource(word));
    else spaced.push(prefixes(word) + escapeSource(word).replaceAll("\\*\\*", ".*").replaceAll("\\*", `${INNER}*`));
  }
  // The longest first, so that it is the one that matches.
  spaced.sort((one, other) => other.length - one.length);
  return [`(?<!${INNER})(?:${spaced.join("|")})(?!${INNER})`, ...unspaced].join("|");
}

/** In Arabic and Hebrew, "and", "the" and "of" are written as the beginning of the next word. */
function prefixes(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return "(?:[وبل]?(?:ال)?|لل)";
  if (/^\p{Script=Hebrew}/u.test(word)) return "[והבלמשכ]{0,2}";
  return "";
}

function escapeSource(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** In ids and classes, names are parts that dashes separate. */
function namePattern(alternatives: string): string {
  return `(?<![a-z])(?:${alternatives})(?![a-z])`;
}
