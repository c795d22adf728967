// API keys: how they look, how a typo is told from a key, and what of them is stored.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "cap_";
const SECRET_CHARACTERS = 40;
const CHECKSUM_CHARACTERS = 6;
const SHOWN_CHARACTERS = 12;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random bytes a new key needs: some are thrown away, so that no character is likelier than another. */
export const KEY_ENTROPY_BYTES = 96;

/** A new key from at least `KEY_ENTROPY_BYTES` random bytes: prefix, 40 characters (238 bits), checksum. */
export function createApiKey(random: Uint8Array): string {
  const usable = [...random].filter((byte) => byte < BASE62.length * 4);
  const secret = usable.slice(0, SECRET_CHARACTERS).map((byte) => BASE62[byte % BASE62.length]);
  if (secret.length < SECRET_CHARACTERS)
    throw new RangeError(`${random.length} random bytes do not suffice for a key.`);
  return withChecksum(PREFIX + secret.join(""));
}

/** True when the form and checksum are right: a typo is refused without a look-up. */
export function isWellFormed(key: string): boolean {
  const body = key.slice(0, -CHECKSUM_CHARACTERS);
  return /^cap_[0-9A-Za-z]{46}$/.test(key) && withChecksum(body) === key;
}

/** What is stored in place of the key. A plain hash suffices: nobody guesses 238 bits. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Leading characters by which its owner recognises a key. */
export function displayPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Text in which keys and signing secrets are cut, for a log: a caller can put them where they do not belong. */
export function redactKeys(text: string): string {
  return text.replaceAll(/(cap_[0-9A-Za-z]{8})[0-9A-Za-z]+|(whsec_)[0-9A-Za-z+/=%]+/g, "$1$2…");
}

function withChecksum(body: string): string {
  let rest = crc32(body);
  let checksum = "";
  for (let count = 0; count < CHECKSUM_CHARACTERS; count++) {
    checksum = BASE62[rest % BASE62.length] + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return body + checksum;
}
