// A button that copies a text to the clipboard, and shows for a moment whether it could.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** A function is called for the text when the button is pressed. */
  readonly text: string | (() => Promise<string>);
  readonly class?: string;
  /** Shown when the browser refuses access to the clipboard. */
  readonly refusal?: string;
  readonly children: ComponentChildren;
}

export function CopyButton({
  text,
  class: className = "copy",
  refusal = "Not copied: no access to the clipboard",
  children,
}: CopyButtonProps) {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setMessage("Copied");
    } catch {
      setMessage(refusal);
    }
  };
  return (
    <button type="button" class={className} onClick={() => void copy()}>
      <span aria-live="polite">{message ?? children}</span>
    </button>
  );
}
