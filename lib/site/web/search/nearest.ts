// What comes nearest when nothing matches: documents whose titles share the most letters with the query.
import { type SearchDocument, type SearchKind, searchKinds } from "./search-document.ts";
import { partsOf, wordsOf } from "./words.ts";

const NEAREST = 5;
/** Words that have less in common are alike by chance. */
const MIN_SIMILARITY = 0.3;
/** Their many titles are hardly what a customer looks for. */
const distantKinds: readonly SearchKind[] = ["changelog", "operator"];
const DISTANCE_WEIGHT = 0.5;

/** Always five, if there are as many: of equally near ones, the beginnings of pages first. */
export function nearestDocuments(documents: readonly SearchDocument[], query: string): SearchDocument[] {
  const asked = partsIn(query).map(bigrams);
  return documents
    .map((document) => {
      const weight = distantKinds.includes(document.kind) ? DISTANCE_WEIGHT : 1;
      return { document, nearness: weight * nearness(asked, partsIn(document.title || document.page).map(bigrams)) };
    })
    .toSorted(
      (one, other) =>
        other.nearness - one.nearness ||
        Number(one.document.title !== "") - Number(other.document.title !== "") ||
        searchKinds.indexOf(one.document.kind) - searchKinds.indexOf(other.document.kind),
    )
    .slice(0, NEAREST)
    .map(({ document }) => document);
}

const partsIn = (text: string): string[] => wordsOf(text).flatMap(({ text: word }) => partsOf(word));

/** Pairs of neighboring letters; the first letter counts as a pair, too. */
function bigrams(word: string): ReadonlySet<string> {
  const letters = ` ${word}`;
  return new Set(Array.from(word, (_, index) => letters.slice(index, index + 2)));
}

/** The average over the words of a query of how similar the most similar word of the title is. */
function nearness(asked: readonly ReadonlySet<string>[], title: readonly ReadonlySet<string>[]): number {
  const similarities = asked
    .map((word) => Math.max(0, ...title.map((other) => similarity(word, other))))
    .map((value) => (value < MIN_SIMILARITY ? 0 : value));
  return similarities.reduce((sum, value) => sum + value, 0) / Math.max(1, asked.length);
}

/** The Sørensen–Dice coefficient: 1 for the same word, 0 without a common pair. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * one.intersection(other).size) / (one.size + other.size);
}
