// The draft with its undo steps in the storage of the tab, secret options and long texts included, so that a reload loses nothing.
import type { DraftHistory } from "./draft-history.ts";
import { type Draft, type Source, sources } from "./request-options.ts";

const STORED_DRAFT = "playground-draft";

export interface StoredDraft {
  readonly history: DraftHistory;
  /** The fragment that the address had with this draft: another one is a link that was opened. */
  readonly fragment: string;
}

/** Undefined if there is none, or if it is damaged. */
export function readStoredDraft(storage: Pick<Storage, "getItem">): StoredDraft | undefined {
  try {
    const { history, fragment } = JSON.parse(storage.getItem(STORED_DRAFT) ?? "{}") as Partial<StoredDraft>;
    if (typeof fragment !== "string" || !history || !isDraft(history.draft)) return undefined;
    const steps = (drafts: readonly Draft[]) => (Array.isArray(drafts) ? drafts.filter(isDraft) : []);
    return { fragment, history: { draft: history.draft, past: steps(history.past), future: steps(history.future) } };
  } catch {
    return undefined;
  }
}

/** Drops the undo steps if the storage is too small for them, and keeps nothing if it is forbidden. */
export function storeDraft(storage: Pick<Storage, "setItem">, { history, fragment }: StoredDraft): void {
  const { draft, past, future } = history;
  for (const kept of [
    { draft, past, future },
    { draft, past: [], future: [] },
  ]) {
    try {
      storage.setItem(STORED_DRAFT, JSON.stringify({ history: kept, fragment }));
      return;
    } catch {}
  }
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
