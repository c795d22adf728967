// The secrets of a key that was just created or rotated, which are shown once.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { IssuedKey } from "../../../../../clients/typescript/src/generated/types.ts";
import { publicBaseUrl } from "../../service-address.ts";
import { CopyText } from "../copy-text.tsx";

interface IssuedSecretsProps {
  readonly issued: IssuedKey;
  readonly onHidden: () => void;
}

export function IssuedSecrets({ issued, onHidden }: IssuedSecretsProps) {
  const { label, key, signing_secret } = issued;
  const box = useRef<HTMLElement>(null);
  // Each key is a new reason to look at the box.
  useLayoutEffect(() => box.current?.focus(), [key]);
  const environment = `SCREEN_CAPTURE_URL=${publicBaseUrl}\nSCREEN_CAPTURE_KEY=${key}\nSCREEN_CAPTURE_SIGNING_SECRET=${signing_secret}`;
  return (
    <section ref={box} class="issued" role="status" tabIndex={-1}>
      <h2>Copy the secrets of “{label}” now</h2>
      <p>They are shown only once. The signing secret verifies webhooks and signs links.</p>
      <CopyText label="API key" text={key} />
      <CopyText label="Signing secret" text={signing_secret} />
      <CopyText label=".env" text={environment} />
      <button type="button" onClick={onHidden}>
        I have copied them
      </button>
    </section>
  );
}
