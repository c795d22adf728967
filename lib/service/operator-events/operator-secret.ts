// The operator's secret: it signs the webhooks of events for the operator, and proves to the service that a request is the operator's. Its item
// of the Accounts table is encrypted with a data key of its own.
import * as v from "valibot";
import { SigningSecretsSchema, signingSecrets } from "../account/account.ts";
import { getItem, writeCondition } from "../aws/items.ts";
import { operatorSecretKey } from "../aws/table-keys.ts";
import { transactRequired, type Write } from "../aws/transaction.ts";
import { createSigningSecret } from "../keys/issue-key.ts";
import { DEFAULT_SECRET_OVERLAP_S, withRotatedSecret } from "../receivers/receiver.ts";
import { createDataKeys } from "../secrets/data-keys.ts";
import { decryptSecrets, encryptSecrets } from "../secrets/signing-secrets.ts";

const StoredSchema = v.object({ ...SigningSecretsSchema.entries, created_at: v.string(), version: v.number() });
type Stored = v.InferOutput<typeof StoredSchema>;

const OWNER = ["operator"] as const;

/** Returns the secrets that are valid at `now` (milliseconds since 1970), the current one first; none before the operator has made one. */
export async function operatorSecrets(accountsTable: string, now: number): Promise<readonly string[]> {
  const stored = await readStored(accountsTable);
  return stored ? signingSecrets(await decryptSecrets(accountsTable, OWNER, stored), now) : [];
}

/** When the current secret was made; undefined while there is none. */
export async function findOperatorSecret(accountsTable: string): Promise<{ readonly created_at: string } | undefined> {
  const stored = await readStored(accountsTable);
  return stored && { created_at: stored.created_at };
}

/**
 * Makes the first secret, or another one, at `now` (milliseconds since 1970). The previous one stays valid for a day. `further` items are
 * stored in the same transaction. Resolves to the new secret, which is shown once; to undefined when `isRotation` is false and there is a secret.
 * Throws `CONFLICT` when too many previous ones are valid. Only an operator's command calls this.
 */
export async function issueOperatorSecret(
  accountsTable: string,
  { isRotation, now }: { readonly isRotation: boolean; readonly now: number },
  further: readonly Write[] = [],
): Promise<string | undefined> {
  await createDataKeys(accountsTable);
  for (;;) {
    const stored = await readStored(accountsTable);
    if (stored && !isRotation) return undefined;
    const secret = createSigningSecret();
    const secrets = stored
      ? withRotatedSecret(stored, { secret, now, overlapSeconds: DEFAULT_SECRET_OVERLAP_S })
      : { signing_secret: secret, previous_signing_secrets: [] };
    const Item = {
      ...operatorSecretKey,
      ...(await encryptSecrets(accountsTable, OWNER, secrets)),
      created_at: new Date(now).toISOString(),
      version: (stored?.version ?? 0) + 1,
    };
    const isUnchanged = writeCondition("attribute_not_exists(#version) OR #version = :version", {
      ":version": stored?.version ?? 0,
    });
    if (await transactRequired({ Put: { TableName: accountsTable, Item, ...isUnchanged } }, further)) return secret;
  }
}

async function readStored(accountsTable: string): Promise<Stored | undefined> {
  const item = await getItem(accountsTable, operatorSecretKey);
  return item && v.parse(StoredSchema, item);
}
