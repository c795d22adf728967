// File names of captures without their extensions: fixed by the inputs and their order before the first request.
import { createHash } from "node:crypto";

/** Shorter than the 255 bytes of most file systems and the 143 of encrypted ones, so that a number and an extension fit. */
const MAX_STEM_BYTES = 100;
const HASH_CHARACTERS = 8;
const DEFAULT_STEM = "capture";
/** Names of devices, which Windows refuses with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

/** Host, path, query, and fragment of a URL; its credentials aren't part of the name. */
export function urlStem(url: string): string {
  return fileStem(decoded(url.replace(/^[^:]*:\/\/(?:[^/?#]*@)?/, "")), url);
}

/**
 * A file name of letters, digits, dots, and dashes that stays in its folder. A text that is too long is cut, and a hash of `source`
 * keeps it apart from others with the same beginning.
 */
export function fileStem(text: string, source = text): string {
  const stem = trimmed(text.normalize("NFC").replaceAll(/[^\p{L}\p{N}.]+/gu, "-"));
  if (stem === "") return DEFAULT_STEM;
  if (DEVICE.test(stem)) return `${DEFAULT_STEM}-${stem}`;
  if (Buffer.byteLength(stem) <= MAX_STEM_BYTES) return stem;
  const hash = createHash("sha256").update(source).digest("hex").slice(0, HASH_CHARACTERS);
  return `${trimmed(cut(stem, MAX_STEM_BYTES - HASH_CHARACTERS - 1))}-${hash}`;
}

/** The inputs with stems that differ with any extension: the same inputs in the same order always get the same ones. */
export function withUniqueStems<T extends { readonly stem: string }>(inputs: readonly T[]): T[] {
  const used = new Set<string>();
  return inputs.map((input) => ({ ...input, stem: unusedName(input.stem, used) }));
}

/**
 * Adds `-2`, `-3`, and so on to a name that is used, and adds the result to `used`. Names that a file system holds for equal are the
 * same: those that differ in capitals or in the composition of their letters alone.
 */
export function unusedName(name: string, used: Set<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const folded = candidate.normalize("NFKC").toUpperCase().toLowerCase();
    if (used.has(folded)) continue;
    used.add(folded);
    return candidate;
  }
}

/** Text with percent-encoding resolved; as it is if that isn't valid UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without dashes and dots at its ends: they would hide the file, look like a flag, or be dropped by Windows. */
function trimmed(stem: string): string {
  return stem.replaceAll(/^[-.]+|[-.]+$/g, "");
}

/** The first characters that take at most `bytes` bytes in UTF-8. */
function cut(text: string, bytes: number): string {
  let [length, size] = [0, 0];
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
