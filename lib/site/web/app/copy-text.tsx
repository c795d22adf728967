// Texts to copy, such as a secret that is shown once, or the address of a capture.
import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** For a screen reader, when the button has no words of its own, such as `Copy the address`. */
  readonly label?: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setMessage("Copied"),
      () => setMessage("Not copied"), // the browser refuses access to the clipboard
    );
  return (
    <button type="button" class="copy-button" onClick={() => void copy()}>
      <span aria-live="polite">
        {message ?? <>Copy{label !== undefined && <span class="visually-hidden"> {label}</span>}</>}
      </span>
    </button>
  );
}

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="copy-text">
      <span>{label}</span>
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
