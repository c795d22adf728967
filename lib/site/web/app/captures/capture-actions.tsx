// What can be done with a capture: repeat it, open it in the playground, and delete what it has stored.
import { useRef, useState } from "preact/hooks";
import type { CaptureDetails, CaptureResult } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { Notice } from "../../ui/notice.tsx";
import { navigateTo } from "../../ui/router.ts";
import { useAction } from "../../ui/use-action.ts";
import { Question } from "../question.tsx";
import { isRepeatable, openInPlayground, repeatedOptions } from "./capture-options.ts";
import { capturePath } from "./capture-text.ts";
import { rememberLogs } from "./known-captures.ts";

interface CaptureActionsProps {
  readonly details: CaptureDetails;
  /** Called when what it has stored is deleted. */
  readonly onDeleted: () => void;
}

export function CaptureActions({ details, onDeleted }: CaptureActionsProps) {
  const { id, options, result, report_url, thumbnail_url, cached } = details;
  const [isAsking, setAsking] = useState(false);
  const repetition = useAction();
  const deletion = useAction();
  const deleteButton = useRef<HTMLButtonElement>(null);
  const canRepeat = isRepeatable(repeatedOptions(options));
  const isAnythingStored = result !== null || report_url !== null || thumbnail_url !== null;
  const repeat = () =>
    repetition.run(async () => {
      const { request_id } = await send<CaptureResult>("POST", "/api/v1/screenshot", repeatedOptions(options));
      rememberLogs([request_id]);
      navigateTo(capturePath(request_id));
      scrollTo(0, 0);
    });
  const stopAsking = () => {
    setAsking(false);
    deleteButton.current?.focus();
  };
  const remove = async () => {
    if (!(await deletion.run(() => send("DELETE", `/api/v1/usage/${id}`)))) return;
    setAsking(false);
    onDeleted();
  };
  return (
    <div class="capture-actions">
      <div class="form-actions">
        <button type="button" disabled={!canRepeat || repetition.isRunning} onClick={() => void repeat()}>
          {repetition.isRunning ? "Capturing…" : "Capture again"}
        </button>
        <button type="button" onClick={() => void openInPlayground(options)}>
          Open in the playground
        </button>
        {isAnythingStored && (
          <button
            type="button"
            class="danger"
            ref={deleteButton}
            aria-expanded={isAsking}
            onClick={() => setAsking(!isAsking)}
          >
            Delete…
          </button>
        )}
      </div>
      <p class="note">
        {canRepeat
          ? "Capturing again counts as any capture."
          : "The log has no secrets and no long texts: open it in the playground, and complete it there."}
      </p>
      {isAsking && (
        <Question
          label="Delete what the capture has stored"
          answer="Delete"
          isDangerous
          isRunning={deletion.isRunning}
          onSubmit={() => void remove()}
          onCancel={stopAsking}
        >
          <p>
            {cached
              ? "The cache answered this capture: its log forgets the result and the thumbnail, which the capture that made them keeps."
              : "The stored result and the thumbnail are deleted, and their links end. Nothing brings them back. The capture stays in the log and in the statistics."}
          </p>
        </Question>
      )}
      {repetition.problem && <Notice problem={repetition.problem} />}
      {deletion.problem && <Notice problem={deletion.problem} />}
    </div>
  );
}
