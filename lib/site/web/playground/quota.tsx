// What is left of the quota. Reading it counts against the rate limit of a key, so with a key it is read when it is requested.
import { useCallback, useEffect, useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import { type Credential, credentialInit } from "./credential.ts";

interface Quota {
  readonly limit: number | null;
  readonly remaining: number | null;
}

interface Account {
  readonly quotas: Readonly<Record<string, Quota>>;
}

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
  if (credential === "session") return <span aria-live="polite">{text}</span>;
  return (
    <button type="button" class="link" onClick={() => void load()}>
      <span aria-live="polite">{text ?? "Show quota"}</span>
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
  const parts = Object.entries(quotas)
    .filter((each): each is [string, { limit: number; remaining: number }] => each[1].limit !== null)
    .map(([name, { limit, remaining }]) => `${count(remaining)} of ${count(limit)} ${name}`);
  return parts.length === 0 ? "No limit of captures" : `${parts.join(", ")} left`;
}

const count = (value: number) => value.toLocaleString("en");
