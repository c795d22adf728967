// Queues the report of the first use of a new text of an API key. The function that sends the mail decides whether the use was the first.
import type { Caller } from "../account/account.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { optionalVariable } from "../platform/environment.ts";
import { ExpiringSet } from "../platform/expiring-set.ts";
import { logError } from "../platform/log.ts";
import type { FirstUse } from "./first-use-notice.ts";

/** Hashes of texts that this function has queued, so that it queues each once: it can't read which were reported. */
const queued = new ExpiringSet({ maxEntries: 10_000, lifetimeMs: 24 * 60 * 60 * 1000 });

/**
 * Queues the report of a use, unless this function has queued one of the same text. Does nothing where no mail is configured. Call it
 * once the request is answered. Never rejects.
 */
export async function queueFirstUse(
  { account, key }: Caller,
  { hash, request }: { readonly hash: string; readonly request: Pick<ApiRequest, "sourceIp" | "receivedAt"> },
): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl === undefined || queued.has(hash)) return;
  queued.add(hash);
  const first_use: FirstUse = {
    key_id: key.id,
    key_prefix: key.key_prefix,
    hash,
    at: new Date(request.receivedAt).toISOString(),
    ip_address: request.sourceIp,
  };
  try {
    await sendForAccount(queueUrl, { account_id: account.id, first_use });
  } catch (error) {
    queued.delete(hash);
    logError("first use of an API key not queued", error, { account_id: account.id });
  }
}
