// What authorizes the captures: the session of the dashboard in one line, or an API key.
import { useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import type { Access, Credential } from "./credential.ts";
import { QuotaView } from "./quota.tsx";
import type { RateLimit } from "./send-capture.ts";

interface KeyBarProps {
  readonly apiKey: string;
  readonly access: Access;
  readonly credential: Credential | undefined;
  readonly isKept: boolean;
  readonly isMissing: boolean;
  readonly rateLimit: RateLimit | undefined;
  readonly captures: number;
  readonly onChange: (key: string, isKept: boolean) => void;
}

export function KeyBar({ access, ...props }: KeyBarProps) {
  const { apiKey, captures, credential } = props;
  const [isKeyOpen, setKeyOpen] = useState(apiKey !== "");
  if (access === "unknown") return <p class="key-bar note">Looking for your session …</p>;
  if (access === "signed-out") return <KeyField {...props} />;
  return (
    <details class="key-bar" open={isKeyOpen} onToggle={(event) => setKeyOpen(event.currentTarget.open)}>
      <summary>
        <span class="signed-in">
          Signed in as {access.label}
          {credential === "session" && (
            <>
              {" "}
              · <QuotaView credential={credential} captures={captures} />
            </>
          )}
        </span>{" "}
        <span class="link">Use an API key instead</span>
      </summary>
      <KeyField {...props} isSignedIn />
    </details>
  );
}

interface KeyFieldProps extends Omit<KeyBarProps, "access"> {
  readonly isSignedIn?: boolean;
}

function KeyField({
  apiKey,
  credential,
  isKept,
  isMissing,
  rateLimit,
  captures,
  onChange,
  isSignedIn = false,
}: KeyFieldProps) {
  return (
    <div class={`key-bar${isMissing ? " is-bad" : ""}`}>
      <div class="key-field">
        <label for="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          placeholder="cap_…"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={isMissing}
          aria-describedby="key-note"
          value={apiKey}
          onInput={(event) => onChange(event.currentTarget.value.trim(), isKept)}
        />
        <label class="keep">
          <input type="checkbox" checked={isKept} onChange={(event) => onChange(apiKey, event.currentTarget.checked)} />
          Keep in this tab
        </label>
      </div>
      <p class="note" id="key-note">
        <KeyNote {...{ apiKey, isMissing, isSignedIn }} />
      </p>
      {credential !== undefined && credential !== "session" && (
        <p class="limits">
          {rateLimit && (
            <span>
              {rateLimit.remaining} of {rateLimit.limit} requests left this minute
            </span>
          )}
          <QuotaView key={credential.apiKey} credential={credential} captures={captures} />
        </p>
      )}
    </div>
  );
}

function KeyNote({
  apiKey,
  isMissing,
  isSignedIn,
}: Pick<KeyBarProps, "apiKey" | "isMissing"> & { isSignedIn: boolean }) {
  if (isSignedIn) return <>{apiKey === "" ? "Without one, your session captures." : "Captures count for this key."}</>;
  if (apiKey !== "") return <>Sent to this service only. Reloading forgets it, unless you keep it in this tab.</>;
  return (
    <>
      {isMissing ? "Paste an API key to capture." : "Sent to this service only."} None yet?{" "}
      <a href={`${apiBaseUrl}/app`}>Sign in or get one</a>
    </>
  );
}
