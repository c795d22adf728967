// The last queries that led somewhere, which this browser keeps.

const STORED_QUERIES = "recent-searches";
const MAX_QUERIES = 5;
const MAX_CHARACTERS = 80;

/** The newest first. */
export function recentQueries(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_QUERIES) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string").slice(0, MAX_QUERIES) : [];
  } catch {
    return []; // a browser that stores nothing, or a text of someone else
  }
}

export function rememberQuery(typed: string): void {
  const query = typed.trim().slice(0, MAX_CHARACTERS);
  if (query === "") return;
  const queries = [query, ...recentQueries().filter((each) => each !== query)].slice(0, MAX_QUERIES);
  try {
    localStorage.setItem(STORED_QUERIES, JSON.stringify(queries));
  } catch {}
}
