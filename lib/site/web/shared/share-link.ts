// Share links: the options of a request in the fragment of the address, which no server sees. Secret options are left out.
import type { RequestOptions } from "../playground/request-options.ts";

/** What precedes the options in a fragment. */
export const FRAGMENT_PREFIX = "#o=";
/** A damaged or hostile link must not fill the memory of the tab. */
const MAX_OPTIONS_BYTES = 16_000_000;

/** An address with a password. */
const WITH_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*:[^/?#]*@/i;

/** The options without secret ones, and without addresses that contain a password. */
export function withoutSecrets(options: RequestOptions, isSecret: (name: string) => boolean): RequestOptions {
  const isShareable = ([name, value]: [string, unknown]) =>
    !isSecret(name) && !(typeof value === "string" && WITH_PASSWORD.test(value.trim()));
  return Object.fromEntries(Object.entries(options).filter(isShareable));
}

/** The fragment that holds the options: `#o=` and base64url of deflated JSON. */
export async function shareFragment(options: RequestOptions, isSecret: (name: string) => boolean): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(withoutSecrets(options, isSecret)));
  const deflated = await bytesFrom(json, new CompressionStream("deflate-raw"));
  return `${FRAGMENT_PREFIX}${toBase64Url(deflated)}`;
}

/** The options of a fragment; undefined if it holds none, or is damaged. */
export async function readShareFragment(fragment: string): Promise<RequestOptions | undefined> {
  if (!fragment.startsWith(FRAGMENT_PREFIX)) return undefined;
  try {
    const deflated = fromBase64Url(fragment.slice(FRAGMENT_PREFIX.length));
    const json = await bytesFrom(deflated, new DecompressionStream("deflate-raw"));
    const options: unknown = JSON.parse(new TextDecoder().decode(json));
    return typeof options === "object" && options !== null && !Array.isArray(options)
      ? (options as RequestOptions)
      : undefined;
  } catch {
    return undefined;
  }
}

async function bytesFrom(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MAX_OPTIONS_BYTES) throw new RangeError("The link holds more than a request may.");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** base64url without padding (RFC 4648, section 5). */
function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
