// The HMAC secrets that sign result links, in one encrypted item of the Accounts table: the newest signs, and those from before a
// rotation verify links until the overlap ends. Functions keep them for some minutes.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { getItem, writeCondition } from "../aws/items.ts";
import { linkSecretKey } from "../aws/table-keys.ts";
import { transactRequired, type Write } from "../aws/transaction.ts";
import { createDataKeys } from "../secrets/data-keys.ts";
import { secretDecryption, secretEncryption } from "../secrets/encrypted-secret.ts";

const LinkSecretSchema = v.object({
  secret: v.string(),
  /** From when it signs, in milliseconds since 1970; it verifies before that. */
  signs_from: v.number(),
  /** Until when it verifies links, in milliseconds since 1970; absent in the current secret. */
  verifies_until: v.exactOptional(v.number()),
});
export type LinkSecret = v.InferOutput<typeof LinkSecretSchema>;

/** The item, oldest secret first. `value` is the only secret, in plain text, of a stage whose secret was never rotated since. */
const StoredSchema = v.object({
  secrets: v.exactOptional(v.array(LinkSecretSchema)),
  value: v.exactOptional(v.string()),
  version: v.optional(v.number(), 0),
});

/** How long a function keeps the secrets. A new one signs when all functions know it. */
const CACHE_MS = 5 * 60 * 1000;
/** When a new secret begins to sign, after the rotation. */
export const SIGNS_AFTER_MS = 2 * CACHE_MS;

/** How long links of the previous secret verify by default: longer than any result is kept. 32 days, in seconds. */
export const DEFAULT_LINK_OVERLAP_S = 32 * 24 * 60 * 60;

/** Maximum number of previous secrets that verify links: each is tried for a forged one. */
const MAX_PREVIOUS_LINK_SECRETS = 5;

interface Cached {
  readonly readAt: number;
  readonly secrets: Promise<readonly LinkSecret[]>;
}
const cached = new Map<string, Cached>();

/** Returns the secrets in plain text, oldest first; none before the first account is opened. */
async function readLinkSecrets(table: string, now: number): Promise<readonly LinkSecret[]> {
  const known = cached.get(table);
  if (known && now - known.readAt < CACHE_MS) return known.secrets;
  const secrets = loadLinkSecrets(table);
  cached.set(table, { readAt: now, secrets });
  const found = await secrets.catch((error) => {
    cached.delete(table);
    throw error;
  });
  if (found.length === 0) cached.delete(table); // the first may be created at any time
  return found;
}

async function loadLinkSecrets(table: string): Promise<readonly LinkSecret[]> {
  const { secrets } = await readStored(table);
  const texts = secrets.map(({ secret }) => secret);
  const decrypt = await secretDecryption(table, ["result-links"], texts);
  return secrets.map((each) => ({ ...each, secret: decrypt(each.secret) }));
}

async function readStored(table: string) {
  const item = (await getItem(table, linkSecretKey)) ?? {};
  const { secrets, value, version } = v.parse(StoredSchema, item);
  return { secrets: secrets ?? (value === undefined ? [] : [{ secret: value, signs_from: 0 }]), version };
}

/** Returns the secrets that verify links now, newest first; none before the first account is opened. */
export async function verifyingLinkSecrets(table: string): Promise<string[]> {
  const now = Date.now();
  const secrets = await readLinkSecrets(table, now);
  const isValid = ({ verifies_until }: LinkSecret) => verifies_until === undefined || verifies_until > now;
  return secrets
    .filter(isValid)
    .map(({ secret }) => secret)
    .toReversed();
}

/** Returns the secret that signs links now. Throws when no account has been opened yet. */
export async function linkSecret(table: string): Promise<string> {
  const now = Date.now();
  const found = (await readLinkSecrets(table, now)).findLast(({ signs_from }) => signs_from <= now);
  if (found) return found.secret;
  throw new Error(
    "There is no link secret. Create it with `npm run accounts -- rotate-link-secret`, or with the first account.",
  );
}

/** Creates the secret, and the data keys that encrypt it, unless they exist. Only the operator's commands call this. */
export async function createLinkSecret(table: string): Promise<void> {
  const { secrets, version } = await readStored(table);
  if (secrets.length > 0) return;
  await createDataKeys(table);
  await storeSecrets(table, [{ secret: newSecret(), signs_from: 0 }], version);
}

export interface LinkSecretRotation {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** For how long links of the previous secrets verify. With 0 they end at once, and so do all links that were handed out. */
  readonly overlapSeconds: number;
}

/**
 * Adds a secret that signs links, and ends the previous ones after the overlap. With an overlap it begins to sign when all functions
 * know it. Creates what is missing, and encrypts what is plain text. Resolves to the secrets without their texts, oldest first.
 * `further` items are stored in the same transaction. Throws a RangeError when too many secrets would verify links. Only an operator's command calls this.
 */
export async function rotateLinkSecret(
  table: string,
  { now, overlapSeconds }: LinkSecretRotation,
  further: readonly Write[] = [],
): Promise<Omit<LinkSecret, "secret">[]> {
  await createDataKeys(table);
  const end = now + overlapSeconds * 1000;
  for (;;) {
    const { secrets, version } = await readStored(table);
    const previous = secrets
      .map((each) => ({ ...each, verifies_until: Math.min(each.verifies_until ?? end, end) }))
      .filter(({ verifies_until }) => verifies_until > now);
    if (previous.length > MAX_PREVIOUS_LINK_SECRETS) {
      throw new RangeError(
        `${MAX_PREVIOUS_LINK_SECRETS} previous secrets verify links, as many as may. Rotate again when one has ended, or with a shorter --overlap.`,
      );
    }
    const signs_from = previous.length > 0 ? Math.min(now + SIGNS_AFTER_MS, end) : now;
    const rotated = [...previous, { secret: newSecret(), signs_from }];
    if (!(await storeSecrets(table, rotated, version, further))) continue; // another rotation was faster
    cached.delete(table);
    return rotated.map(({ secret: _, ...facts }) => facts);
  }
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Stores the secrets, encrypted. Resolves to false after a concurrent change. */
async function storeSecrets(
  table: string,
  secrets: readonly LinkSecret[],
  version: number,
  further: readonly Write[] = [],
): Promise<boolean> {
  const texts = secrets.map(({ secret }) => secret);
  const encrypt = await secretEncryption(table, ["result-links"], texts);
  const stored = secrets.map((each) => ({ ...each, secret: encrypt(each.secret) }));
  const Item = { ...linkSecretKey, secrets: stored, version: version + 1 };
  const isUnchanged = writeCondition("attribute_not_exists(#version) OR #version = :version", { ":version": version });
  return transactRequired({ Put: { TableName: table, Item, ...isUnchanged } }, further);
}
