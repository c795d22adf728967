// The secret of a receiver that was just created or rotated, with what a program needs to use the receiver.
import type { IssuedWebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { IssuedSecrets } from "../issued-secrets.tsx";

interface IssuedReceiverSecretProps {
  readonly issued: IssuedWebhookReceiver;
  readonly onHidden: () => void;
}

export function IssuedReceiverSecret({ issued: { id, name, signing_secret }, onHidden }: IssuedReceiverSecretProps) {
  return (
    <IssuedSecrets
      heading={`Copy the secret of “${name}”`}
      texts={[
        ["Signing secret", signing_secret],
        ["Receiver id", id],
        [".env", `SCREEN_CAPTURE_WEBHOOK_RECEIVER=${id}\nSCREEN_CAPTURE_WEBHOOK_SECRET=${signing_secret}`],
      ]}
      hideLabel="I have copied it"
      onHidden={onHidden}
    >
      Verify webhooks with the secret, and send the id as <code>webhook_receiver</code>. You can show the secret again
      later.
    </IssuedSecrets>
  );
}
