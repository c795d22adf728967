// Which HTTP headers a caller can set for requests of the page, and which only the browser sets.

/**
 * Headers that the browser or a proxy sets, and two that are options: `cookie`, which would replace the cookies of the page,
 * and `referer`. A subset of https://fetch.spec.whatwg.org/#forbidden-request-header without the harmless ones.
 */
const RESERVED = new Set([
  "connection",
  "content-length",
  "cookie",
  "cookie2",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "origin",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);

const RESERVED_PREFIXES = ["proxy-", "sec-", "access-control-request-"];

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const MAX_NAME_CHARACTERS = 256;

/** True for a name that is well formed and not excessively long. */
export function isHeaderName(name: string): boolean {
  return name.length <= MAX_NAME_CHARACTERS && TOKEN.test(name);
}

/** True for a header name that is well formed and that a caller may set. */
export function isSettableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return isHeaderName(name) && !RESERVED.has(lower) && !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Settable headers whose value is not a list, so that several of them cannot be combined (RFC 9110, section 5.3). */
const SINGLE_VALUED = new Set([
  "authorization",
  "content-type",
  "date",
  "from",
  "if-modified-since",
  "if-unmodified-since",
  "max-forwards",
  "user-agent",
]);

export function isSingleValued(name: string): boolean {
  return SINGLE_VALUED.has(name.toLowerCase());
}

/** True for a header value without control characters; tabs are allowed. Other characters than ASCII are sent as UTF-8. */
export function isHeaderValue(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\x00-\x08\x0a-\x1f\x7f]/.test(value);
}
