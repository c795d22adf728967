// The patterns of the vocabulary, and how they are matched. They come as data, since a page's own language may be any.
import type { gate, Words } from "./vocabulary.ts";

/**
 * Sources of regular expressions: those of names match `elementName`, all others match text from `normalizeText`. See
 * `vocabulary.ts` for their meanings.
 */
export type OverlayPatterns = Readonly<
  Record<keyof Words | keyof typeof gate | "paid" | "overlayNames" | "gateNames" | "chatNames" | "consentNames", string>
>;

const compiled = new Map<string, RegExp>();

/** A pattern of text, for functions that find or replace all of its matches. */
export function textPattern(source: string): RegExp {
  const known = compiled.get(source) ?? new RegExp(source, "gu");
  compiled.set(source, known);
  return known;
}

export function hasMatch(source: string, text: string): boolean {
  return text.search(textPattern(source)) >= 0;
}

/** True for text that consists of matches only. */
export function isAllMatches(source: string, text: string): boolean {
  return text !== "" && text.replace(textPattern(source), "").trim() === "";
}

/** The number of different matches. */
export function countDistinct(source: string, text: string): number {
  return new Set(text.match(textPattern(source)) ?? []).size;
}
