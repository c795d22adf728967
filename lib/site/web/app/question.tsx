// A question at its button: it takes the focus, and Escape or Cancel closes it.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { handleSubmit } from "../ui/form.tsx";

interface QuestionProps {
  /** What the question is about, for screen readers. */
  readonly label: string;
  readonly onSubmit: () => void;
  /** Called to close it without an answer. */
  readonly onCancel: () => void;
  /** The answer, as the text of its button. */
  readonly answer: string;
  /** True for an answer that cannot be undone. */
  readonly isDangerous?: boolean;
  readonly isRunning: boolean;
  readonly children: ComponentChildren;
}

export function Question({
  label,
  onSubmit,
  onCancel,
  answer,
  isDangerous = false,
  isRunning,
  children,
}: QuestionProps) {
  const form = useRef<HTMLFormElement>(null);
  // Before the paint: a key that is pressed as soon as the question shows is meant for it.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("input, select, button.answer")?.focus(), []);
  return (
    <form
      ref={form}
      class="key-question"
      aria-label={label}
      onSubmit={handleSubmit(onSubmit)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      {children}
      <p class="form-actions">
        <button type="submit" class={isDangerous ? "answer danger" : "answer"} disabled={isRunning}>
          {answer}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** The question that is open in a box, which has a button for each question. */
export function useQuestion<Name extends string>(box: RefObject<HTMLElement | null>) {
  const [question, setQuestion] = useState<Name>();
  const focusButton = (name: Name) => box.current?.querySelector<HTMLElement>(`[data-question="${name}"]`)?.focus();
  const close = () => {
    if (question) focusButton(question);
    setQuestion(undefined);
  };
  const button = (name: Name, words: string, isDisabled = false) => (
    <button
      key={name}
      type="button"
      data-question={name}
      aria-expanded={question === name}
      disabled={isDisabled}
      onClick={() => setQuestion(question === name ? undefined : name)}
    >
      {words}
    </button>
  );
  return { question, setQuestion, focusButton, close, button };
}
