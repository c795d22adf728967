// A dialog above the page. Escape and its buttons close it, and the focus then returns to where it was.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly title: string;
  /** Further classes, such as of its size. */
  readonly class?: string;
  /** Called when it has closed. */
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Modal({ title, class: className = "", onClose, onKeyDown, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={`modal ${className}`}
      aria-labelledby={id}
      onClose={onClose}
      {...(onKeyDown && { onKeyDown })}
    >
      <h2 id={id}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
