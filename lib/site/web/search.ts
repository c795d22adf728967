// The search over the documentation: every word must be in an entry; matches in titles count more than in texts.

/** Path with anchor, title of the page, title of the section, and text. */
export type SearchEntry = readonly [path: string, page: string, title: string, text: string];

const MAX_RESULTS = 20;
/** An option comes before those whose names begin with its name. */
const EXACT_TITLE_POINTS = 100;

/** The best entries for a query, best first. Empty for a query without words. */
export function search(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = normalize(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score: value }) => value > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

/** 0 when a word is missing. */
function score([, page, title, text]: SearchEntry, words: readonly string[]): number {
  const [inPage, inTitle, inText] = [normalize(page), normalize(title), normalize(text)];
  let total = inTitle === words.join(" ") ? EXACT_TITLE_POINTS : 0;
  for (const word of words) {
    const points =
      (inTitle === word ? 20 : inTitle.startsWith(word) ? 12 : inTitle.includes(word) ? 8 : 0) +
      (inPage.includes(word) ? 5 : 0) +
      (inText.includes(word) ? 2 : 0);
    if (points === 0) return 0;
    total += points;
  }
  return total;
}

/** Options are found by their names with spaces, too. */
function normalize(text: string): string {
  return text.toLowerCase().replaceAll("_", " ");
}
