// Answers with secrets, encrypted under the API key of their caller: the key itself is stored nowhere, so that only a
// caller that sends this key again gets the answer again.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** What an answer is sealed with: the text of the caller's API key, and the idempotency key of the request. */
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
  const cipher = createCipheriv(CIPHER, keyOf(secrets), iv);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** The text that `seal` made this of. Throws where it was sealed with other secrets, or changed. */
export function decryptResponse(sealed: string, secrets: EncryptionSecrets): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(CIPHER, keyOf(secrets), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const decrypted = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(decrypted).toString("utf8");
}

/** An API key has 238 random bits, so that no slow derivation is needed (RFC 5869). */
function keyOf({ apiKey, idempotencyKey }: EncryptionSecrets): Buffer {
  return Buffer.from(hkdfSync("sha256", apiKey, idempotencyKey, "idempotent answer", KEY_BYTES));
}
