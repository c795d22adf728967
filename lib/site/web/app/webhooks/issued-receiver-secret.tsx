// The secret of a receiver that was just created or rotated, with what a program needs to use the receiver.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { IssuedWebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { CopyText } from "../copy-text.tsx";

interface IssuedReceiverSecretProps {
  readonly issued: IssuedWebhookReceiver;
  readonly onHidden: () => void;
}

export function IssuedReceiverSecret({ issued, onHidden }: IssuedReceiverSecretProps) {
  const { id, name, signing_secret } = issued;
  const box = useRef<HTMLElement>(null);
  // Each secret is a new reason to look at the box.
  useLayoutEffect(() => box.current?.focus(), [signing_secret]);
  return (
    <section ref={box} class="issued" role="status" tabIndex={-1}>
      <h2>Copy the secret of “{name}”</h2>
      <p>
        Verify webhooks with the secret, and send the id as <code>webhook_receiver</code>. You can show the secret again
        later.
      </p>
      <CopyText label="Signing secret" text={signing_secret} />
      <CopyText label="Receiver id" text={id} />
      <CopyText
        label=".env"
        text={`SCREEN_CAPTURE_WEBHOOK_RECEIVER=${id}\nSCREEN_CAPTURE_WEBHOOK_SECRET=${signing_secret}`}
      />
      <button type="button" onClick={onHidden}>
        I have copied it
      </button>
    </section>
  );
}
