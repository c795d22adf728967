// Full-text search over documents in the browser: BM25+ by MiniSearch, with a bonus for documents that have every word.
import MiniSearch from "minisearch";
import { nearestDocuments } from "./nearest.ts";
import { type Alternative, parseQuery, type QueryPart } from "./query.ts";
import type { SearchDocument, SearchKind } from "./search-document.ts";
import { isStopWord } from "./synonyms.ts";
import { partsOf, stem, termsOf, wordsOf } from "./words.ts";

export interface SearchHit {
  readonly document: SearchDocument;
  /** Whether it has every word of the query, or what stands for it. */
  readonly isComplete: boolean;
  /** Terms of the document that matched. */
  readonly terms: readonly string[];
}

export interface Results {
  /** The `BEST_MATCHES` first; then those of the same kind together. */
  readonly found: readonly SearchHit[];
  /** False if nothing matches, and `found` is what comes nearest. */
  readonly isMatch: boolean;
}

export type Search = (query: string) => Results;

const MAX_RESULTS = 20;
/** So many of the best come before the groups. */
export const BEST_MATCHES = 3;
const MAX_OF_KIND = 6;
/** More sections of a page would hide other pages; they are one click away. */
const MAX_OF_PAGE = 2;

/** Decides between documents that match equally well. */
const kindWeights: Readonly<Record<SearchKind, number>> = {
  screen: 1.3,
  key: 1.3,
  capture: 1.3,
  page: 1.1,
  guide: 1,
  client: 0.75,
  option: 0.6,
  error: 0.55,
  api: 0.5,
  reference: 0.8,
  changelog: 0.3,
  operator: 0.25,
};

const boost = { title: 4, page: 2, keywords: 2, text: 1, code: 0.8 };

/** A title with every word in the query, and one that is the query letter by letter. */
const WHOLE_TITLE_BONUS = 1.5;
const EXACT_TITLE_BONUS = 3;

/** So many documents are indexed without a pause, in which the page answers the keyboard. */
const DOCUMENTS_AT_ONCE = 25;

export async function createSearch(documents: readonly SearchDocument[]): Promise<Search> {
  const vocabulary = new Set<string>();
  const termsOfWord = new Map<string, readonly string[]>();
  const index = new MiniSearch({
    fields: Object.keys(boost),
    extractField: (entry: { id: number }, field) => (field === "id" ? entry.id : fieldOf(documents[entry.id], field)),
    tokenize: (text) => wordsOf(text).map((word) => word.text),
    processTerm: (word) => {
      const known = termsOfWord.get(word);
      if (known) return [...known];
      const terms = termsOf(word);
      for (const term of terms) vocabulary.add(term);
      termsOfWord.set(word, terms);
      return terms;
    },
  });
  await index.addAllAsync(
    documents.map((_, id) => ({ id })),
    { chunkSize: DOCUMENTS_AT_ONCE },
  );

  const matches = ({ terms, weight, isPrefix = false }: Alternative) =>
    index
      .search(terms.join(" "), {
        boost,
        combineWith: "AND",
        tokenize: (text) => text.split(" "),
        processTerm: (term) => term,
        prefix: isPrefix,
      })
      .map(
        ({ id, score, terms: matched }): Match => ({
          id,
          score: score * weight,
          terms: matched,
          wholeTerms: matched.filter((term) => terms.includes(term)),
        }),
      );
  const matchPart = ({ alternatives, weight }: QueryPart): PartMatches => ({
    matches: bestOfEach(alternatives.flatMap(matches)),
    weight,
  });

  return (query) => {
    const parts = parseQuery(query, vocabulary).map(matchPart);
    const typed = query.trim().toLowerCase();
    const ranked = combine(parts, documents.length)
      .flatMap(({ id, score, terms, wholeTerms, partCount }) => {
        const document = documents[id];
        if (!document) return [];
        const title = document.title || document.page;
        const bonus =
          (hasEveryWord(title, wholeTerms) ? WHOLE_TITLE_BONUS : 1) *
          (title.toLowerCase() === typed ? EXACT_TITLE_BONUS : 1);
        const isComplete = partCount === parts.length;
        return [{ document, terms, isComplete, score: score * bonus * kindWeights[document.kind] }];
      })
      .toSorted((one, other) => other.score - one.score);
    if (ranked.length > 0) return { found: grouped(ranked), isMatch: true };
    const found = nearestDocuments(documents, query).map((document) => ({ document, terms: [], isComplete: false }));
    return { found, isMatch: false };
  };
}

function fieldOf(document: SearchDocument | undefined, field: string): string {
  if (!document) return "";
  const { title, page, keywords = "", runs } = document;
  if (field === "title") return title || page;
  if (field === "page") return title === "" ? "" : page;
  if (field === "keywords") return keywords;
  return runs.filter((_, index) => index % 2 === (field === "code" ? 1 : 0)).join(" ");
}

/** The share of its score that a further alternative adds. */
const CONFIRMATION = 0.25;

interface Match {
  /** Place of the document. */
  readonly id: number;
  readonly score: number;
  /** Terms of the document that matched, and those that are not only the continuation of what was asked for. */
  readonly terms: readonly string[];
  readonly wholeTerms: readonly string[];
}

interface PartMatches {
  readonly matches: readonly Match[];
  readonly weight: number;
}

/** Of several alternatives the best counts, and the others confirm it. */
function bestOfEach(matches: readonly Match[]): Match[] {
  return [...Map.groupBy(matches, ({ id }) => id)].map(([id, ofDocument]) => {
    const scores = ofDocument.map(({ score }) => score);
    const best = Math.max(...scores);
    const others = scores.reduce((sum, score) => sum + score, -best);
    return { id, score: best + CONFIRMATION * others, ...joinedTerms(ofDocument) };
  });
}

const joinedTerms = (matches: readonly Match[]) => ({
  terms: matches.flatMap(({ terms }) => terms),
  wholeTerms: matches.flatMap(({ wholeTerms }) => wholeTerms),
});

/**
 * Adds the scores of the parts, and multiplies them by the square of the share of the query that the document covers. A part
 * is the more of it the rarer its matches are and the higher its weight; what no document has is none of it.
 */
function combine(parts: readonly PartMatches[], documentCount: number): (Match & { readonly partCount: number })[] {
  const found = parts.filter(({ matches }) => matches.length > 0);
  const importances = found.map(({ matches, weight }) => weight * Math.log(1 + documentCount / matches.length));
  const total = importances.reduce((sum, value) => sum + value, 0);
  const weighted = found.flatMap(({ matches, weight }, place) =>
    matches.map((match) => ({ ...match, score: match.score * weight, share: (importances[place] ?? 0) / total })),
  );
  return [...Map.groupBy(weighted, ({ id }) => id)].map(([id, ofDocument]) => {
    const score = ofDocument.reduce((sum, match) => sum + match.score, 0);
    const covered = ofDocument.reduce((sum, { share }) => sum + share, 0);
    return { id, score: score * covered ** 2, partCount: ofDocument.length, ...joinedTerms(ofDocument) };
  });
}

function hasEveryWord(title: string, terms: readonly string[]): boolean {
  return wordsOf(title).every(({ text }) => {
    const parts = partsOf(text);
    const isNamed = parts.length > 1 && terms.includes(parts.join(""));
    return isStopWord(text) || isNamed || parts.every((part) => terms.includes(part) || terms.includes(stem(part)));
  });
}

interface Ranked extends SearchHit {
  readonly score: number;
}

/** The best first, which may be of any kind; then the others by their kinds, in the order of the best of each. */
function grouped(ranked: readonly Ranked[]): Ranked[] {
  const ofPage = new Map<string, number>();
  const kept = ranked.filter(({ document: { kind, page } }) => {
    if (kind === "option" || kind === "error" || kind === "api") return true;
    const count = (ofPage.get(page) ?? 0) + 1;
    ofPage.set(page, count);
    return count <= MAX_OF_PAGE;
  });
  const others = Map.groupBy(kept.slice(BEST_MATCHES), ({ document }) => document.kind);
  return [
    ...kept.slice(0, BEST_MATCHES),
    ...[...others.values()].flatMap((ofKind) => ofKind.slice(0, MAX_OF_KIND)),
  ].slice(0, MAX_RESULTS);
}
