// API key format: prefix, base62 secret and CRC-32 checksum; the key's hash, its display prefix, and redaction.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "cap_";
/** Of keys for tests, whose captures are free and carry a mark. */
const TEST_PREFIX = "cap_test_";
/** Of keys with which the service watches itself. */
const INTERNAL_PREFIX = "cap_internal_";
const prefixes = { live: PREFIX, test: TEST_PREFIX, internal: INTERNAL_PREFIX };

/** Marks hashes of internal keys, so that a role can be restricted to them. */
export const INTERNAL_HASH_PREFIX = "internal-";
const SECRET_CHARACTERS = 40;
const CHECKSUM_CHARACTERS = 6;
/** Characters after the prefix by which the owner recognises a key. */
const DISPLAY_CHARACTERS = 8;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random bytes for one key. Rejection sampling discards some, so that all characters are equally likely. */
export const KEY_ENTROPY_BYTES = 96;

/** Creates a key from at least `KEY_ENTROPY_BYTES` random bytes: prefix, 40 characters (238 bits), checksum of both. */
export function createApiKey(random: Uint8Array, kind: keyof typeof prefixes = "live"): string {
  const usable = [...random].filter((byte) => byte < BASE62.length * 4);
  const secret = usable.slice(0, SECRET_CHARACTERS).map((byte) => BASE62[byte % BASE62.length]);
  if (secret.length < SECRET_CHARACTERS) throw new RangeError(`${random.length} random bytes are too few for a key.`);
  return withChecksum(prefixes[kind] + secret.join(""));
}

/** True when the form and checksum are valid: typos are rejected without a look-up. */
export function isWellFormed(key: string): boolean {
  const body = key.slice(0, -CHECKSUM_CHARACTERS);
  return /^cap_(test_|internal_)?[0-9A-Za-z]{46}$/.test(key) && withChecksum(body) === key;
}

/** Returns the SHA-256 that is stored instead of the key. A fast hash suffices: 238 random bits cannot be guessed. */
export function hashApiKey(key: string): string {
  const hash = createHash("sha256").update(key).digest("hex");
  return key.startsWith(INTERNAL_PREFIX) ? INTERNAL_HASH_PREFIX + hash : hash;
}

/** True for the hash of a key of the service itself. */
export function isInternalHash(hash: string): boolean {
  return hash.startsWith(INTERNAL_HASH_PREFIX);
}

/** Returns the leading characters by which the owner recognises a key. */
export function displayPrefix(key: string): string {
  const prefix = [INTERNAL_PREFIX, TEST_PREFIX].find((each) => key.startsWith(each)) ?? PREFIX;
  return key.slice(0, prefix.length + DISPLAY_CHARACTERS);
}

/** True for a key for tests, by its text or by its leading characters. */
export function isTestPrefix(prefix: string): boolean {
  return prefix.startsWith(TEST_PREFIX);
}

/**
 * Redacts API keys, signing secrets, session tokens and sign-in links in a text for the log or a model: callers sometimes put
 * them in the wrong place. What is too short to be a secret stays, since `handicap_accessible` and `courses_list` are words.
 */
export function redactKeys(text: string): string {
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "$1…"), text);
}

/** API keys, signing secrets, session tokens of customers and operators, and the secrets of sign-in links, with what is kept of each. */
const secrets = [
  /(cap_(?:test_|internal_)?[0-9A-Za-z]{8})[0-9A-Za-z]{16,}/g,
  /(whsec_)[0-9A-Za-z+/=%]+/g,
  /(ses_)\d{1,16}_[\w-]{16,}/g,
  /(sgn_)[\w-]{16,}/g,
  /(opr_)[\w-]{16,}/g,
];

function withChecksum(body: string): string {
  let rest = crc32(body);
  let checksum = "";
  for (let count = 0; count < CHECKSUM_CHARACTERS; count++) {
    checksum = BASE62[rest % BASE62.length] + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return body + checksum;
}
