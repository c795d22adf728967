// What authorizes the requests, and what is left of the rate limit and the quota.
import { apiBaseUrl } from "../service-address.ts";
import type { Credential, PlaygroundAccount } from "./credential.ts";
import { QuotaView } from "./quota.tsx";
import type { RateLimit } from "./send-capture.ts";

interface KeyBarProps {
  readonly apiKey: string;
  /** The account that this browser is signed in to; it is used while there is no key. */
  readonly account: PlaygroundAccount | undefined;
  readonly credential: Credential | undefined;
  readonly isKept: boolean;
  readonly isMissing: boolean;
  readonly rateLimit: RateLimit | undefined;
  readonly captures: number;
  readonly onChange: (key: string, isKept: boolean) => void;
}

export function KeyBar({ apiKey, account, credential, isKept, isMissing, rateLimit, captures, onChange }: KeyBarProps) {
  return (
    <div class={`key-bar${isMissing ? " is-bad" : ""}`}>
      <div class="key-field">
        <label for="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          placeholder={account ? "Not needed: you are signed in" : "cap_… or cap_test_…"}
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
        <KeyNote {...{ apiKey, account, isMissing }} />
      </p>
      <p class="limits">
        {rateLimit && (
          <span>
            {rateLimit.remaining} of {rateLimit.limit} requests left this minute
          </span>
        )}
        {credential !== undefined && (
          <QuotaView
            key={credential === "session" ? credential : credential.apiKey}
            credential={credential}
            captures={captures}
          />
        )}
      </p>
    </div>
  );
}

function KeyNote({ apiKey, account, isMissing }: Pick<KeyBarProps, "apiKey" | "account" | "isMissing">) {
  if (apiKey === "" && account) return <>Signed in as {account.label}. Captures count as those of a key.</>;
  return (
    <>
      {isMissing
        ? "Paste an API key to capture."
        : "Sent to this service only. Reloading forgets it, unless you keep it in this tab."}
      {apiKey === "" && (
        <>
          {" "}
          Or <a href={`${apiBaseUrl}/app`}>sign in</a>, which needs no key here.
        </>
      )}
    </>
  );
}
