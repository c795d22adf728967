// A dialog above the page. Escape and its buttons close it, and the focus then returns to where it was.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly title: string;
  /** Called when it has closed. */
  readonly onClose: () => void;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="modal" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
