// Texts to copy, such as a secret that is shown once, or the address of a capture.
import { CopyButton } from "../shared/copy-button.tsx";

interface CopyTextButtonProps {
  readonly text: string;
  /** For a screen reader, when the button has no words of its own, such as `Copy the address`. */
  readonly label?: string;
}

export function CopyTextButton({ text, label }: CopyTextButtonProps) {
  return (
    <CopyButton text={text} class="copy-button" refusal="Not copied">
      Copy{label !== undefined && <span class="visually-hidden"> {label}</span>}
    </CopyButton>
  );
}

export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="copy-text">
      <span>{label}</span>
      <code>{text}</code>
      <CopyTextButton text={text} />
    </div>
  );
}
