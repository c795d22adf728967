// Encrypts stored responses that have secrets with the caller's API key. The key itself is stored nowhere, so only a caller
// that sends it again can have the response replayed.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** What a response is encrypted with: the text of the caller's API key, and the idempotency key of the request. */
export interface EncryptionSecrets {
  readonly apiKey: string;
  readonly idempotencyKey: string;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D, section 8.2.2: 96 random bits. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The text, encrypted with AES-256-GCM, in base64. */
export function encryptResponse(text: string, secrets: EncryptionSecrets): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(secrets), iv);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Decrypts a text that `encryptResponse` encrypted. Throws when it has other secrets, or was changed. */
export function decryptResponse(encrypted: string, secrets: EncryptionSecrets): string {
  const bytes = Buffer.from(encrypted, "base64");
  const decipher = createDecipheriv(CIPHER, deriveKey(secrets), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const decrypted = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(decrypted).toString("utf8");
}

/** An API key has 238 random bits, so no slow derivation is needed (HKDF, RFC 5869). */
function deriveKey({ apiKey, idempotencyKey }: EncryptionSecrets): Buffer {
  return Buffer.from(hkdfSync("sha256", apiKey, idempotencyKey, "idempotent answer", KEY_BYTES));
}
