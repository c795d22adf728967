// Secrets as they are stored: encrypted by AES-256-GCM with a data key, and bound to their owner. Secrets from before there were
// data keys are plain text; they are read as they are, and encrypted when they are next written.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { logInfo } from "../platform/log.ts";
import { type DataKeys, findDataKeys } from "./data-keys.ts";

/** What a secret belongs to. A ciphertext that is copied to another owner cannot be decrypted there. */
export type SecretOwner =
  | readonly ["result-links"]
  | readonly ["operator"]
  /** An account: the secrets of its API keys. */
  | readonly ["account", accountId: number]
  | readonly ["receiver", accountId: number, receiverId: string];

const PREFIX = "encrypted:v1:";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whether a stored secret is encrypted. */
export function isEncrypted(stored: string): boolean {
  return stored.startsWith(PREFIX);
}

/** Encrypts a secret for its owner. Each call returns another text. */
export function encryptSecret(secret: string, key: KeyObject, owner: SecretOwner): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(associatedData(owner));
  const parts = [iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()];
  return PREFIX + Buffer.concat(parts).toString("base64url");
}

/** Decrypts a stored secret of this owner. Throws when it was encrypted for another owner or with another key, or was changed. */
export function decryptSecret(stored: string, key: KeyObject, owner: SecretOwner): string {
  const bytes = Buffer.from(stored.slice(PREFIX.length), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

function associatedData(owner: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify(owner));
}

/** Changes a secret between its plain text and its stored form. */
export type SecretConversion = (secret: string) => string;

/**
 * Returns what encrypts these secrets of an owner, as far as they are plain text. In a stage without data keys it leaves all as they
 * are: a stage of an earlier version works until its operator has created them. Calls no service when all are encrypted.
 */
export async function secretEncryption(
  table: string,
  owner: SecretOwner,
  secrets: readonly string[],
): Promise<SecretConversion> {
  if (secrets.every(isEncrypted)) return (secret) => secret;
  const key = keyFor(await findDataKeys(table), owner);
  if (!key) logInfo("secrets-not-encrypted", { fix: "npm run accounts -- rotate-link-secret" });
  return (secret) => (key && !isEncrypted(secret) ? encryptSecret(secret, key, owner) : secret);
}

/** Returns what decrypts these stored secrets of an owner. Calls no service when all are plain text. */
export async function secretDecryption(
  table: string,
  owner: SecretOwner,
  stored: readonly string[],
): Promise<SecretConversion> {
  if (!stored.some(isEncrypted)) return (secret) => secret;
  const key = keyFor(await findDataKeys(table), owner);
  if (!key) throw new Error(`There is no data key for the secrets of ${owner.join(" ")}.`);
  return (secret) => (isEncrypted(secret) ? decryptSecret(secret, key, owner) : secret);
}

function keyFor(keys: DataKeys | undefined, [kind]: SecretOwner): KeyObject | undefined {
  if (kind === "receiver") return keys?.receivers;
  return kind === "operator" ? keys?.operator : keys?.links;
}
