// The history: the last requests of this browser, without their secret options, in local storage.

import { withoutSecrets } from "../shared/share-link.ts";
import { readStoredJson, store } from "../shared/storage.ts";
import type { RequestOptions } from "./request-options.ts";

export const MAX_HISTORY_ENTRIES = 20;
/** Longer sources would use up the storage of the browser, which is some 5 million characters. */
const MAX_ENTRY_CHARACTERS = 100_000;
const STORED_HISTORY = "playground-history";

export interface HistoryEntry {
  readonly options: RequestOptions;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** When it was sent, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** What was sent last comes first. */
export function readHistory(): readonly HistoryEntry[] {
  const entries = readStoredJson("localStorage", STORED_HISTORY);
  return Array.isArray(entries) ? entries.filter(isEntry).slice(0, MAX_HISTORY_ENTRIES) : [];
}

/** Adds a request in front and stores the history. Returns it also when the storage is full or forbidden. */
export function addToHistory(
  entries: readonly HistoryEntry[],
  { options, ...entry }: HistoryEntry,
  isSecret: (name: string) => boolean,
): readonly HistoryEntry[] {
  const stored = withoutSecrets(options, isSecret);
  const text = JSON.stringify(stored);
  if (text.length > MAX_ENTRY_CHARACTERS) return entries;
  const others = entries.filter((each) => JSON.stringify(each.options) !== text);
  const history = [{ ...entry, options: stored }, ...others].slice(0, MAX_HISTORY_ENTRIES);
  store("localStorage", STORED_HISTORY, JSON.stringify(history));
  return history;
}

export function clearHistory(): void {
  store("localStorage", STORED_HISTORY, undefined);
}

function isEntry(value: unknown): value is HistoryEntry {
  const { options, status, sentAt } = (value ?? {}) as Partial<HistoryEntry>;
  return typeof options === "object" && options !== null && typeof status === "number" && typeof sentAt === "number";
}
