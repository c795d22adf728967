// The API key, and what is left of the rate limit and the quota.
import { useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import type { RateLimit } from "./send-capture.ts";

interface KeyBarProps {
  readonly apiKey: string;
  readonly isKept: boolean;
  readonly isMissing: boolean;
  readonly rateLimit: RateLimit | undefined;
  readonly onChange: (key: string, isKept: boolean) => void;
}

export function KeyBar({ apiKey, isKept, isMissing, rateLimit, onChange }: KeyBarProps) {
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
        {isMissing
          ? "Paste an API key to capture. On your own machine, npm start prints one."
          : "Sent to this service only. Reloading forgets it, unless you keep it in this tab."}
      </p>
      <p class="limits">
        {rateLimit && (
          <span>
            {rateLimit.remaining} of {rateLimit.limit} requests left this minute
          </span>
        )}
        {apiKey !== "" && <QuotaButton key={apiKey} apiKey={apiKey} />}
      </p>
    </div>
  );
}

interface Account {
  readonly plan: string;
  readonly quotas: { readonly captures: { readonly limit: number | null; readonly remaining: number | null } };
}

/** Reads the quota when it is asked for: each reading counts against the rate limit. */
function QuotaButton({ apiKey }: { apiKey: string }) {
  const [text, setText] = useState("Show quota");
  const load = async () => {
    try {
      const response = await fetch(`${apiBaseUrl}/api/v1/account`, {
        headers: { Authorization: `Bearer ${apiKey}` },
        credentials: "omit",
      });
      const answer = (await response.json()) as Account & { error?: string };
      if (!response.ok) return setText(answer.error ?? `Status ${response.status}`);
      const { limit, remaining } = answer.quotas.captures;
      setText(
        limit === null
          ? "No limit of captures"
          : `${remaining?.toLocaleString("en")} of ${limit.toLocaleString("en")} captures left`,
      );
    } catch {
      setText("The quota couldn’t be read");
    }
  };
  return (
    <button type="button" class="link" onClick={() => void load()}>
      <span aria-live="polite">{text}</span>
    </button>
  );
}
