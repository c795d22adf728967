// Secrets that were just created or rotated, to copy.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyText } from "../ui/copy-text.tsx";

interface IssuedSecretsProps {
  readonly heading: string;
  /** What the secrets are for. */
  readonly children: ComponentChildren;
  readonly texts: readonly (readonly [label: string, text: string])[];
  /** Text of the button that hides them. */
  readonly hideLabel: string;
  readonly onHidden: () => void;
}

export function IssuedSecrets({ heading, children, texts, hideLabel, onHidden }: IssuedSecretsProps) {
  const box = useRef<HTMLElement>(null);
  // Each secret is a new reason to look at the box.
  useLayoutEffect(() => box.current?.focus(), [texts[0]?.[1]]);
  return (
    <section ref={box} class="issued" role="status" tabIndex={-1}>
      <h2>{heading}</h2>
      <p>{children}</p>
      {texts.map(([label, text]) => (
        <CopyText key={label} label={label} text={text} />
      ))}
      <button type="button" onClick={onHidden}>
        {hideLabel}
      </button>
    </section>
  );
}
