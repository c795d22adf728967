// The last queries that led somewhere, which this browser keeps.
import { readStoredJson, store } from "../shared/storage.ts";

const STORED_QUERIES = "recent-searches";
const MAX_QUERIES = 5;
const MAX_CHARACTERS = 80;

/** The newest first. */
export function recentQueries(): string[] {
  const stored = readStoredJson("localStorage", STORED_QUERIES);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === "string").slice(0, MAX_QUERIES) : [];
}

export function rememberQuery(typed: string): void {
  const query = typed.trim().slice(0, MAX_CHARACTERS);
  if (query === "") return;
  const queries = [query, ...recentQueries().filter((each) => each !== query)].slice(0, MAX_QUERIES);
  store("localStorage", STORED_QUERIES, JSON.stringify(queries));
}
