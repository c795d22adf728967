// The draft with its undo steps in the storage of the tab, secret options and long texts included, so that a reload loses nothing.
import { readStoredJson, store } from "../shared/storage.ts";
import type { DraftHistory } from "./draft-history.ts";
import { type Draft, type Source, sources } from "./request-options.ts";

const STORED_DRAFT = "playground-draft";

export interface StoredDraft {
  readonly history: DraftHistory;
  /** The fragment that the address had with this draft: another one is a link that was opened. */
  readonly fragment: string;
}

/** Undefined if there is none, or if it is damaged. */
export function readStoredDraft(): StoredDraft | undefined {
  const { history, fragment } = (readStoredJson("sessionStorage", STORED_DRAFT) ?? {}) as Partial<StoredDraft>;
  if (typeof fragment !== "string" || !history || !isDraft(history.draft)) return undefined;
  const steps = (drafts: readonly Draft[]) => (Array.isArray(drafts) ? drafts.filter(isDraft) : []);
  return { fragment, history: { draft: history.draft, past: steps(history.past), future: steps(history.future) } };
}

/** Drops the undo steps if the storage is too small for them, and keeps nothing if it is forbidden. */
export function storeDraft({ history: { draft, past, future }, fragment }: StoredDraft): void {
  const keep = (history: DraftHistory) => store("sessionStorage", STORED_DRAFT, JSON.stringify({ history, fragment }));
  if (!keep({ draft, past, future })) keep({ draft, past: [], future: [] });
}

function isDraft(value: unknown): value is Draft {
  const { source, inputs, options } = (value ?? {}) as Partial<Draft>;
  return (
    sources.includes(source as Source) &&
    sources.every((each) => typeof inputs?.[each] === "string") &&
    typeof options === "object" &&
    options !== null
  );
}
