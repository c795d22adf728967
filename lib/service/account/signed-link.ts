// Signed links: authenticates a query by an HMAC-SHA256 signature made with a key's signing secret (request signing).
//
// The signed text is the query without `signature`: each parameter as `name=value`, both percent-encoded, sorted by
// name and joined by `&`. Values of one name keep their order, which is that of a list. API Gateway passes on a decoded
// query, so the original encoding is unknown: a signature is valid when it matches the query in any of the usual
// encodings. All of them decode to the same query, so no signature is valid for two queries. The signature is hex; the
// HMAC key is the whole secret as text.
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import { parseId } from "../platform/ids.ts";
import { type Caller, invalidKeyReason, type LinkCaller, linkSecrets } from "./account.ts";
import { UnauthorizedError } from "./authenticate.ts";

/** Parameters that a signed link has instead of a key; no capture option has one of these names. */
export const linkParameters = ["key_id", "expires", "signature"] as const;
type LinkParameter = (typeof linkParameters)[number];

/** Maximum lifetime of a link: one (leap) year. */
const MAX_LIFETIME_S = 366 * 24 * 60 * 60;

/** Decoded names and values. */
export type Query = readonly (readonly [name: string, value: string])[];

type Encode = (text: string) => string;

/** RFC 3986: encodes all characters but letters, digits and `-_.~`. */
const encodeStrictly: Encode = (text) => encodeLikeJavaScript(text).replace(/[!'()*]/g, toPercent);
const encodeLikeJavaScript: Encode = (text) => encodeURIComponent(text.toWellFormed());
const withPlus: (encode: Encode) => Encode = (encode) => (text) => encode(text).replaceAll("%20", "+");

/** How common libraries encode a query. The first one is used in error messages. */
const encodings: readonly Encode[] = [
  encodeLikeJavaScript,
  encodeStrictly, // PHP's rawurlencode, Python's quote
  withPlus(encodeStrictly), // Python's urlencode, Go's url.Values
  withPlus((text) => encodeStrictly(text).replaceAll("~", "%7E")), // PHP's http_build_query
  withPlus((text) => encodeStrictly(text).replaceAll("~", "%7E").replaceAll("%2A", "*")), // URLSearchParams, Ruby, Java
];

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Returns the text to sign. */
export function signedText(query: Query): string {
  return joinQuery(sortByName(withoutSignature(query)), encodeLikeJavaScript);
}

/** Returns the signature of a query in hex. */
export function signQuery(query: Query, secret: string): string {
  return hmac(signedText(query), secret);
}

/**
 * Returns every text that a valid signature may cover: in each encoding, sorted by name or in the received order, which
 * is the order of the client when the gateway keeps it; AWS does not promise that.
 */
function signableTexts(query: Query): string[] {
  const orders = [sortByName(withoutSignature(query)), withoutSignature(query)];
  return [...new Set(orders.flatMap((order) => encodings.map((encode) => joinQuery(order, encode))))];
}

function withoutSignature(query: Query): Query {
  return query.filter(([name]) => name !== "signature");
}

/** Sorts by encoded name, which is ASCII and so sorts alike in all languages; the sort is stable within a name. */
function sortByName(query: Query): Query {
  return query
    .map((pair) => ({ pair, name: encodeLikeJavaScript(pair[0]) }))
    .toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
    .map(({ pair }) => pair);
}

function joinQuery(query: Query, encode: Encode): string {
  return query.map((pair) => pair.map(encode).join("=")).join("&");
}

function hmac(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

export interface LinkLookup {
  /** Looks up the caller of links signed by this key. */
  readonly find: (keyId: number) => Promise<LinkCaller | undefined>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a query presents as a signed link, well-formed but not verified. Throws `UNAUTHORIZED`. */
export function parseLink(query: Query): { readonly keyId: number; readonly signature: string } {
  const keyId = parseId(singleValue(query, "key_id") ?? "");
  const signature = singleValue(query, "signature") ?? "";
  if (query.some(([name]) => name === "access_key")) {
    throw new UnauthorizedError(
      "malformed",
      "A signed link must not contain `access_key`, which all who see the link could use.",
    );
  }
  if (Number.isNaN(keyId)) {
    throw new UnauthorizedError(
      "malformed",
      "The signed link needs `key_id` once: the id of the API key that signs it.",
    );
  }
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    throw new UnauthorizedError(
      "malformed",
      "The signed link needs `signature` once: 64 hexadecimal digits in lower case.",
    );
  }
  return { keyId, signature };
}

/**
 * Returns the caller whose key signed a query. Throws `UNAUTHORIZED`, which says what is wrong with the link but not
 * whether the key exists, and `VALIDATION_ERROR` when the signature is valid but `expires` is missing or malformed.
 */
export async function authenticateLink(query: Query, { find, now }: LinkLookup): Promise<Caller> {
  const { keyId, signature } = parseLink(query);
  const found = await find(keyId);
  if (!found) throw signatureMismatch("unknown", query);
  const texts = signableTexts(query);
  const isSigned = linkSecrets(found.secrets, now).some((secret) =>
    texts.some((text) => isEqual(hmac(text, secret), signature)),
  );
  if (!isSigned) throw signatureMismatch("forged", query);
  const reason = invalidKeyReason(found.caller, now);
  if (reason)
    throw new UnauthorizedError(reason, `The API key that signed this link is ${reason}. Sign it with another key.`);
  const expiresAt = parseExpiry(query, now);
  if (expiresAt <= now) {
    throw new UnauthorizedError(
      "expired",
      `This signed link expired at ${new Date(expiresAt).toISOString()}. Sign it again.`,
    );
  }
  return found.caller;
}

/** Same message for an unknown key and a wrong signature, so that key ids cannot be probed. */
function signatureMismatch(reason: "unknown" | "forged", query: Query): UnauthorizedError {
  const message =
    "The `signature` of the link does not match. It must be the HMAC-SHA256 in lower-case hex of the text in " +
    "`details.signed_text`, with the whole signing secret of the key `key_id` (`whsec_…`) as its key. After " +
    "a rotation, sign with the new secret.";
  return new UnauthorizedError(reason, message, { signed_text: signedText(query) });
}

/**
 * Returns the expiry in milliseconds since 1970. Throws `VALIDATION_ERROR` for a malformed one; only called after the
 * signature was verified.
 */
function parseExpiry(query: Query, now: number): number {
  const expires = singleValue(query, "expires") ?? "";
  if (!/^\d{1,15}$/.test(expires)) throw expiryError("must be sent once, in seconds since 1970");
  const expiresAt = Number(expires) * 1000;
  if (expiresAt - now > MAX_LIFETIME_S * 1000) throw expiryError("must be at most a year ahead, in seconds since 1970");
  return expiresAt;
}

function expiryError(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'expires' ${message}.`, { details: { expires: [message] } });
}

/** Returns the value of a parameter that occurs exactly once, else undefined. */
function singleValue(query: Query, name: LinkParameter): string | undefined {
  const values = query.filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
