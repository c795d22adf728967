// API keys: create, rename, limit, rotate, and revoke. Secrets are shown once.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IssuedKey, Key, Keys } from "../../../../../clients/typescript/src/generated/types.ts";
import { publicBaseUrl } from "../../service-address.ts";
import { Notice } from "../../ui/notice.tsx";
import { useAddress } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import { IssuedSecrets } from "../issued-secrets.tsx";
import { KeyCard } from "../keys/key-card.tsx";
import { NewKeyForm } from "../keys/new-key-form.tsx";
import type { ScreenProps } from "../screen.ts";
import { Keys as Skeleton } from "../skeletons.tsx";
import { Time } from "../time.tsx";

export function KeysScreen(_: ScreenProps) {
  const keys = useResource<Keys>("/api/v1/keys");
  const linkedId = useAddress().query.get("open");
  const [issued, setIssued] = useState<IssuedKey>();
  const [lastRevoked, setLastRevoked] = useState<Key>();
  const [isCreating, setCreating] = useState(false);
  const newButton = useRef<HTMLButtonElement>(null);
  const show = (key: IssuedKey) => {
    setIssued(key);
    setCreating(false);
    keys.reload();
  };
  const revoke = (key: Key) => {
    setLastRevoked(key);
    if (issued?.id === key.id) setIssued(undefined);
    keys.reload();
  };
  const cancel = () => {
    setCreating(false);
    requestAnimationFrame(() => newButton.current?.focus()); // once it is there again
  };
  if (keys.error) return <Notice problem={keys.error} retry={keys.reload} />;
  if (!keys.data) return <Skeleton />;
  const { data } = keys.data;
  const active = data.filter(({ revoked_at }) => revoked_at === null).toReversed();
  const revoked = data.filter(({ revoked_at }) => revoked_at !== null).toReversed();
  return (
    <>
      {issued && <IssuedKeySecrets issued={issued} onHidden={() => setIssued(undefined)} />}
      {lastRevoked && <Revoked key={lastRevoked.id} label={lastRevoked.label} />}
      {active.length === 0 || isCreating ? (
        <NewKeyForm
          key={String(data.length)}
          defaultLabel={active.length === 0 ? "First key" : `Key ${data.length + 1}`}
          onIssued={show}
          onCancel={active.length === 0 ? undefined : cancel}
        />
      ) : (
        <button type="button" class="button-primary" ref={newButton} onClick={() => setCreating(true)}>
          New key
        </button>
      )}
      <h2 id="keys-of-account" class="visually-hidden">
        Keys of the account
      </h2>
      {active.length === 0 ? (
        <p class="note">Send the key as Bearer token with each request.</p>
      ) : (
        <ul class="keys" aria-labelledby="keys-of-account">
          {active.map((key) => (
            <KeyCard
              key={key.id}
              apiKey={key}
              isLinked={String(key.id) === linkedId}
              onChanged={keys.reload}
              onIssued={show}
              onRevoked={revoke}
            />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <details>
          <summary>Revoked keys ({revoked.length})</summary>
          <ul class="plain-list">
            {revoked.map(({ id, label, key_prefix, revoked_at }) => (
              <li key={id}>
                {label} <code>{key_prefix}…</code> revoked <Time at={revoked_at ?? ""} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function IssuedKeySecrets({ issued, onHidden }: { readonly issued: IssuedKey; readonly onHidden: () => void }) {
  const { label, key, signing_secret } = issued;
  const environment = `SCREEN_CAPTURE_URL=${publicBaseUrl}\nSCREEN_CAPTURE_KEY=${key}\nSCREEN_CAPTURE_SIGNING_SECRET=${signing_secret}`;
  return (
    <IssuedSecrets
      heading={`Copy the secrets of “${label}” now`}
      texts={[
        ["API key", key],
        ["Signing secret", signing_secret],
        [".env", environment],
      ]}
      hideLabel="I have copied them"
      onHidden={onHidden}
    >
      They are shown only once. The signing secret verifies webhooks and signs links.
    </IssuedSecrets>
  );
}

/** Takes the focus from the key that has gone. */
function Revoked({ label }: { readonly label: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => line.current?.focus(), []);
  return (
    <p ref={line} class="note" role="status" tabIndex={-1}>
      “{label}” is revoked: it works no longer.
    </p>
  );
}
