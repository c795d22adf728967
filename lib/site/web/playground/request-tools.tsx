// The toolbar of the request: undo and redo, the history, and a link to share. It stays on one line.
import { CopyButton } from "../shared/copy-button.tsx";
import type { DraftHistory } from "./draft-history.ts";
import type { HistoryEntry } from "./history.ts";
import { HistoryMenu } from "./history-menu.tsx";
import type { Draft } from "./request-options.ts";

interface RequestToolsProps extends UndoButtonsProps {
  readonly history: readonly HistoryEntry[];
  readonly onChoose: (entry: HistoryEntry) => void;
  readonly onClear: () => void;
  readonly share: () => Promise<string>;
}

export function RequestTools({ history, onChoose, onClear, share, ...undo }: RequestToolsProps) {
  return (
    <div class="pane-tools">
      <UndoButtons {...undo} />
      <HistoryMenu entries={history} onChoose={onChoose} onClear={onClear} />
      <CopyButton text={share} refusal="Not copied">
        Share
      </CopyButton>
    </div>
  );
}

interface UndoButtonsProps {
  readonly drafts: DraftHistory;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** They are there before anything can be undone, so that nothing moves. */
function UndoButtons({ drafts: { past, future }, onUndo, onRedo }: UndoButtonsProps) {
  const button = (label: string, icon: string, steps: readonly Draft[], onClick: () => void) => (
    <button
      type="button"
      class="undo-button"
      aria-label={label}
      title={label}
      disabled={steps.length === 0}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
  return (
    <>
      {button("Undo", "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11", past, onUndo)}
      {button("Redo", "m15 14 5-5-5-5M20 9H9.5a5.5 5.5 0 0 0 0 11H13", future, onRedo)}
    </>
  );
}
