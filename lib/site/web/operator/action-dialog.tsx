// A dialog that asks before it changes something.
import type { ComponentChildren } from "preact";
import { handleSubmit } from "../ui/form.tsx";
import { Modal } from "../ui/modal.tsx";
import { Notice } from "../ui/notice.tsx";
import { useAction } from "../ui/use-action.ts";

interface ActionDialogProps {
  readonly title: string;
  /** The text of the button that does it. */
  readonly answer: string;
  readonly isDangerous?: boolean;
  /** True while what was entered changes nothing. */
  readonly isIncomplete?: boolean;
  /** Does it, and rejects with a `RequestError`, which the dialog shows. */
  readonly act: () => Promise<void>;
  /** Called when the dialog has closed: after the action, or without it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function ActionDialog(props: ActionDialogProps) {
  const { title, answer, isDangerous = false, isIncomplete = false, act, onClose, children } = props;
  const action = useAction();
  return (
    <Modal title={title} onClose={onClose}>
      {(close) => (
        <form onSubmit={handleSubmit(() => void action.run(act, close))}>
          {children}
          {action.problem && <Notice problem={action.problem} />}
          <p class="form-actions">
            <button
              type="submit"
              class={isDangerous ? "button-danger" : "button-primary"}
              disabled={action.isRunning || isIncomplete}
            >
              {answer}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </Modal>
  );
}

interface ReasonFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly onText: (text: string) => void;
}

const MAX_REASON_CHARACTERS = 500;

/** Why something is done, which the audit log keeps. */
export function ReasonField({ id, label, value, isRequired = false, onText }: ReasonFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        required={isRequired}
        maxLength={MAX_REASON_CHARACTERS}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

/** The field `reason` of a request; nothing without one. */
export const withReason = (text: string): { readonly reason?: string } =>
  text.trim() === "" ? {} : { reason: text.trim() };
