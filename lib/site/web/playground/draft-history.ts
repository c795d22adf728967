// Undo and redo of what replaces the draft as a whole: presets, links, the history, and a reset. A field undoes its own typing.
import type { Draft } from "./request-options.ts";

const MAX_STEPS = 20;

export interface DraftHistory {
  readonly draft: Draft;
  /** What was replaced, the oldest first. */
  readonly past: readonly Draft[];
  /** What was undone, the last first. */
  readonly future: readonly Draft[];
  /** Says what was just replaced; undefined once the visitor goes on. */
  readonly notice?: string | undefined;
}

export function startHistory(draft: Draft): DraftHistory {
  return { draft, past: [], future: [] };
}

/** A change of a field. */
export function edit({ past }: DraftHistory, draft: Draft): DraftHistory {
  return { draft, past, future: [] };
}

/** Replaces the draft. The one before can be restored, unless both are the same. */
export function replace(history: DraftHistory, draft: Draft, notice?: string): DraftHistory {
  if (JSON.stringify(draft) === JSON.stringify(history.draft)) return history;
  return { draft, past: [...history.past, history.draft].slice(-MAX_STEPS), future: [], notice };
}

export function undo(history: DraftHistory): DraftHistory {
  const draft = history.past.at(-1);
  if (!draft) return history;
  return { draft, past: history.past.slice(0, -1), future: [history.draft, ...history.future] };
}

export function redo(history: DraftHistory): DraftHistory {
  const [draft, ...future] = history.future;
  if (!draft) return history;
  return { draft, past: [...history.past, history.draft], future };
}
