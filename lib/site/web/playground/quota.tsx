// What is left of the quota. Reading it counts against the rate limit of a key, so with a key it is read when it is requested.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Account } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { InlineCode } from "../shared/inline-code.tsx";
import { type Credential, credentialInit } from "./credential.ts";

interface QuotaViewProps {
  readonly credential: Credential;
  /** Number of captures; with a session the quota is read again after each. */
  readonly captures: number;
}

export function QuotaView({ credential, captures }: QuotaViewProps) {
  const [text, setText] = useState<string>();
  const load = useCallback(async () => setText(await quotaText(credential)), [credential]);
  useEffect(() => {
    if (credential === "session") void load();
  }, [credential, load, captures]);
  if (credential === "session") return <span aria-live="polite">{text ?? "…"}</span>;
  return (
    <button type="button" class="link" onClick={() => void load()}>
      <span aria-live="polite">{text === undefined ? "Show quota" : <InlineCode text={text} />}</span>
    </button>
  );
}

async function quotaText(credential: Credential): Promise<string> {
  try {
    const response = await fetch(`${apiBaseUrl}/api/v1/account`, credentialInit(credential));
    const answer = (await response.json()) as Account & { readonly error?: string };
    return response.ok ? describeQuotas(answer.quotas) : (answer.error ?? `Status ${response.status}`);
  } catch {
    return "The quota couldn’t be read";
  }
}

/** A plan has one quota of all captures, or one of screenshots and one of videos. */
function describeQuotas(quotas: Account["quotas"]): string {
  const parts = Object.entries(quotas).map(
    ([name, { limit, remaining }]) => `${count(remaining)} of ${count(limit)} ${name}`,
  );
  return `${parts.join(", ")} left`;
}

const count = (value: number) => value.toLocaleString("en");
