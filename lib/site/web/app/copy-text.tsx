// A text to copy, such as a secret that is shown once.
import { useState } from "preact/hooks";

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div class="copy-text">
      <span>{label}</span>
      <code>{text}</code>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
