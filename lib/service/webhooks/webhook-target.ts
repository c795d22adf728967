// Where a webhook goes, and what signs it: the address of its request with the API key's secret, or a saved receiver with its own.
import { signingSecrets } from "../account/account.ts";
import { readKeySecrets } from "../account/account-store.ts";
import type { Environment } from "../platform/environment.ts";
import { automaticReceiverId, type Receiver } from "../receivers/receiver.ts";
import { findReceiver, readReceiverSecrets } from "../receivers/receiver-store.ts";
import type { Webhook } from "./webhook.ts";

/** A job with a webhook. */
export interface Addressed {
  readonly account_id: number;
  readonly api_key_id: number;
  readonly webhook: Pick<Webhook, "url" | "receiver_id" | "is_signed">;
}

export interface WebhookTarget {
  readonly url: string;
  /** The saved receiver, or the automatic one of the address, which exists since a delivery has failed. */
  readonly receiver: Receiver | undefined;
}

type TargetResources = Pick<Environment, "ACCOUNTS_TABLE">;

/** Where the webhook goes now; undefined when its receiver was deleted. */
export async function findTarget(
  { account_id, webhook: { url, receiver_id } }: Addressed,
  { ACCOUNTS_TABLE }: TargetResources,
): Promise<WebhookTarget | undefined> {
  if (receiver_id === null) {
    if (url === null) return undefined;
    return { url, receiver: await findReceiver(ACCOUNTS_TABLE, { account_id, id: automaticReceiverId(url) }) };
  }
  const receiver = await findReceiver(ACCOUNTS_TABLE, { account_id, id: receiver_id });
  return receiver && { url: receiver.url, receiver };
}

/**
 * The secrets that sign the webhook at `now` (milliseconds since 1970), the current one first; none for one that is unsigned. A revoked
 * key still signs the webhooks of captures that were requested with it. Throws when they are missing, so that nothing is sent unsigned.
 */
export async function readTargetSecrets(
  { account_id, api_key_id, webhook: { is_signed, receiver_id } }: Addressed,
  { ACCOUNTS_TABLE }: TargetResources,
  now: number,
): Promise<string[]> {
  if (!is_signed) return [];
  const secrets =
    receiver_id === null
      ? await readKeySecrets(ACCOUNTS_TABLE, { account_id, id: api_key_id })
      : await readReceiverSecrets(ACCOUNTS_TABLE, { account_id, id: receiver_id });
  if (secrets) return signingSecrets(secrets, now);
  throw new Error(`The secrets of ${receiver_id ?? `key ${api_key_id}`} of account ${account_id} are missing.`);
}
