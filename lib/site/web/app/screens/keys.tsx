// API keys: create, rename, rotate, and revoke. Secrets are shown once.
import { useEffect, useRef, useState } from "preact/hooks";
import type { IssuedKey, Key, Keys, UsagePage } from "../../../../../clients/typescript/src/generated/types.ts";
import { MAX_TESTS_PER_DAY } from "../../../../contract/plans.ts";
import { publicBaseUrl } from "../../service-address.ts";
import { send } from "../api.ts";
import { CopyText } from "../copy-text.tsx";
import { formatCount } from "../format.ts";
import { Notice } from "../notice.tsx";
import { useOpenRow } from "../open-row.ts";
import type { ScreenProps } from "../screen.ts";
import { Time } from "../time.tsx";
import { useAction } from "../use-action.ts";
import { useResource } from "../use-resource.ts";

const SCOPES = [
  ["capture", "Capture pages"],
  ["usage", "Read usage and invoices"],
  ["keys", "Manage API keys"],
] as const;

export function KeysScreen(_: ScreenProps) {
  const keys = useResource<Keys>("/api/v1/keys");
  const { openId } = useOpenRow();
  const [issued, setIssued] = useState<IssuedKey>();
  const show = (key: IssuedKey) => {
    setIssued(key);
    keys.reload();
  };
  if (keys.error) return <Notice problem={keys.error} retry={keys.reload} />;
  if (!keys.data) return <div class="placeholder placeholder-list" aria-busy={keys.isSlow} />;
  const { data } = keys.data;
  const active = data.filter(({ revoked_at }) => revoked_at === null).toReversed();
  const revoked = data.filter(({ revoked_at }) => revoked_at !== null).toReversed();
  return (
    <>
      {issued && <IssuedSecrets issued={issued} />}
      <NewKeyForm onIssued={show} />
      {active.length === 0 ? (
        <p>The account has no API key yet. Create one above; then send it as Bearer token with each request.</p>
      ) : (
        <ul class="keys">
          {active.map((key) => (
            <KeyCard key={key.id} apiKey={key} isLinked={key.id === openId} onChanged={keys.reload} onIssued={show} />
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

/** With the beginning of the key, which is all that is known of it. */
function sampleRequest(prefix: string): string {
  return [
    `curl "${publicBaseUrl}/api/v1/screenshot?url=https://example.com"`,
    `  -H "Authorization: Bearer ${prefix}…"`,
    "  -o example.png",
  ].join(" \\\n");
}

function IssuedSecrets({ issued }: { readonly issued: IssuedKey }) {
  const environment = `SCREEN_CAPTURE_URL=${publicBaseUrl}\nSCREEN_CAPTURE_KEY=${issued.key}\nSCREEN_CAPTURE_SIGNING_SECRET=${issued.signing_secret}`;
  return (
    <section class="issued" role="status">
      <h2>Copy the secrets of “{issued.label}” now</h2>
      <p>They are shown only once. The signing secret verifies webhooks and signs links.</p>
      <CopyText label="API key" text={issued.key} />
      <CopyText label="Signing secret" text={issued.signing_secret} />
      <CopyText label=".env" text={environment} />
    </section>
  );
}

function NewKeyForm({ onIssued }: { readonly onIssued: (key: IssuedKey) => void }) {
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["capture", "usage"]);
  const [expiry, setExpiry] = useState("");
  const [test, setTest] = useState(false);
  const action = useAction();
  const granted = scopes.filter((scope) => !(test && scope === "keys"));
  const create = () =>
    action.run(async () => {
      const expires_at = expiry === "" ? null : new Date(`${expiry}T23:59:59`).toISOString();
      onIssued(await send<IssuedKey>("POST", "/api/v1/keys", { label, scopes: granted, expires_at, test }));
      setLabel("");
      setTest(false);
    });
  return (
    <form
      class="new-key"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2>New key</h2>
      <div class="field">
        <label for="key-label">Label</label>
        <input
          id="key-label"
          required
          maxLength={100}
          placeholder="Website"
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="key-expiry">Expires (optional)</label>
        <input id="key-expiry" type="date" value={expiry} onInput={(event) => setExpiry(event.currentTarget.value)} />
      </div>
      <fieldset>
        <legend>It may</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={granted.includes(scope)}
              disabled={test && scope === "keys"}
              onChange={({ currentTarget: { checked } }) =>
                setScopes((last) => (checked ? [...last, scope] : last.filter((each) => each !== scope)))
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <div>
        <label class="check">
          <input
            id="key-test"
            type="checkbox"
            checked={test}
            aria-describedby="key-test-note"
            onChange={({ currentTarget: { checked } }) => setTest(checked)}
          />
          For tests
        </label>
        <p id="key-test-note" class="note">
          Captures are real and free, at most {MAX_TESTS_PER_DAY} a day, with the word TEST across them. The key can't
          manage keys.
        </p>
      </div>
      <button type="submit" class="button-primary" disabled={action.isRunning}>
        Create key
      </button>
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}

interface KeyCardProps {
  readonly apiKey: Key;
  /** Whether the address names it. */
  readonly isLinked: boolean;
  readonly onChanged: () => void;
  readonly onIssued: (key: IssuedKey) => void;
}

type Question = "rename" | "rotate" | "revoke";

function KeyCard({ apiKey, isLinked, onChanged, onIssued }: KeyCardProps) {
  const { id, label, key_prefix, scopes, test, last_used_at, expires_at, created_at } = apiKey;
  const [question, setQuestion] = useState<Question>();
  const [newLabel, setNewLabel] = useState(label);
  const action = useAction();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) card.current?.scrollIntoView({ block: "center" });
  }, [isLinked]);
  const change = async (apply: () => Promise<void>) => {
    const isDone = await action.run(apply);
    if (isDone) {
      setQuestion(undefined);
      onChanged();
    }
  };
  const path = `/api/v1/keys/${id}`;
  return (
    <li class="key-card" ref={card} {...(isLinked && { "aria-current": "true" as const })}>
      <div class="key-head">
        <h3>{label}</h3>
        <code>{key_prefix}…</code>
        {test && <span class="badge">For tests</span>}
      </div>
      <dl class="key-facts">
        <dt>Scopes</dt>
        <dd>{scopes.join(", ")}</dd>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? "never" : <Time at={last_used_at} />}</dd>
        <dt>Expires</dt>
        <dd>{expires_at === null ? "never" : <Time at={expires_at} />}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={created_at} />
        </dd>
      </dl>
      <details class="key-sample">
        <summary>Sample request</summary>
        <pre>{sampleRequest(key_prefix)}</pre>
      </details>
      <div class="key-actions">
        {(["rename", "rotate", "revoke"] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-expanded={question === each}
            onClick={() => setQuestion(question === each ? undefined : each)}
          >
            {each.slice(0, 1).toUpperCase()}
            {each.slice(1)}
          </button>
        ))}
      </div>
      {question === "rename" && (
        <form
          class="key-question"
          onSubmit={(event) => {
            event.preventDefault();
            void change(() => send("PATCH", path, { label: newLabel }));
          }}
        >
          <label for={`label-${id}`}>New label</label>
          <input
            id={`label-${id}`}
            required
            maxLength={100}
            value={newLabel}
            onInput={(event) => setNewLabel(event.currentTarget.value)}
          />
          <button type="submit">Save</button>
        </form>
      )}
      {question === "rotate" && (
        <div class="key-question">
          <p>
            {consequence(last_used_at, "The key gets a new text, its signed links end")} The old signing secret signs
            webhooks for another day.
          </p>
          <LastUse keyId={id} />
          <button
            type="button"
            disabled={action.isRunning}
            onClick={() => void change(async () => onIssued(await send<IssuedKey>("POST", `${path}/rotate`)))}
          >
            Rotate now
          </button>
        </div>
      )}
      {question === "revoke" && (
        <div class="key-question">
          <p>{consequence(last_used_at, "The key stops working for good, and its signed links with it")}</p>
          <LastUse keyId={id} />
          <button
            type="button"
            class="danger"
            disabled={action.isRunning}
            onClick={() => void change(() => send("DELETE", path))}
          >
            Revoke “{label}”
          </button>
        </div>
      )}
      {action.problem && <Notice problem={action.problem} />}
    </li>
  );
}

/** What the key captured last, and from where: the program that a change would break. */
function LastUse({ keyId }: { readonly keyId: number }) {
  const last = useResource<UsagePage>(`/api/v1/usage?api_key_id=${keyId}&per_page=1`);
  const [log] = last.data?.data ?? [];
  if (!log) return null;
  return (
    <p class="note">
      Its last capture came from {log.ip_address} at <Time at={log.created_at} />
      {log.url !== "" && `: ${log.url}`}. It made {formatCount(last.data?.total ?? 0)} captures.
    </p>
  );
}

/** What breaks, with when the key was last used. */
function consequence(lastUse: string | null, effect: string) {
  if (lastUse === null) return `${effect}. It was never used.`;
  return (
    <>
      {effect}, and programs that send it get 401. It was last used <Time at={lastUse} />.
    </>
  );
}
