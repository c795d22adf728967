// Signed links: a query that stands for a caller, because it was signed with the signing secret of their key.
//
// What is signed is the query without the signature: each parameter as `name=value`, both percent-encoded, sorted by name and
// joined by `&`. Values of one name stay in their order, which is that of a list. API Gateway hands on a query decoded, so
// that nobody knows how it was encoded; a signature is good when it is that of the query in any of the usual encodings.
// Each of them is undone by the same decoding, so that no signature is good for two queries.
// The signature is the HMAC-SHA256 of this text in hex; its key is the whole secret as text.
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "../errors/api-error.ts";
import { parseId } from "../platform/ids.ts";
import { type Caller, invalidKeyReason, type LinkCaller, signingSecrets } from "./account.ts";
import { UnauthorizedError } from "./authenticate.ts";

/** What a link has in place of a key; no option is called like one of them. */
export const linkParameters = ["key_id", "expires", "signature"] as const;
type LinkParameter = (typeof linkParameters)[number];

/** How far ahead a link may expire: a year, of the longer kind. */
const MAX_AHEAD_S = 366 * 24 * 60 * 60;

/** Names and values, decoded. */
export type Query = readonly (readonly [name: string, value: string])[];

type Encode = (text: string) => string;

/** RFC 3986: all but letters, digits and `-_.~`. */
const encodeStrictly: Encode = (text) => encodeLikeJavaScript(text).replace(/[!'()*]/g, toPercent);
const encodeLikeJavaScript: Encode = (text) => encodeURIComponent(text.toWellFormed());
const withPlus: (encode: Encode) => Encode = (encode) => (text) => encode(text).replaceAll("%20", "+");

/** How libraries encode names and values of a query. The first is told to callers whose signature is wrong. */
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

/** The text of which the signature is made. */
export function signedText(query: Query): string {
  return textOf(sorted(signable(query)), encodeLikeJavaScript);
}

/** The signature of a query, in hex. */
export function signQuery(query: Query, secret: string): string {
  return hmac(signedText(query), secret);
}

/**
 * The texts of which a signature is good: in each encoding, sorted by name and in the order in which the query came. That
 * is the order in which it was sent where the gateway keeps it, which AWS does not promise.
 */
function signableTexts(query: Query): string[] {
  const orders = [sorted(signable(query)), signable(query)];
  return [...new Set(orders.flatMap((order) => encodings.map((encode) => textOf(order, encode))))];
}

function signable(query: Query): Query {
  return query.filter(([name]) => name !== "signature");
}

/** By encoded names, which are ASCII and so have one order in all languages; the order within a name stays. */
function sorted(query: Query): Query {
  return query
    .map((pair) => ({ pair, name: encodeLikeJavaScript(pair[0]) }))
    .toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
    .map(({ pair }) => pair);
}

function textOf(query: Query, encode: Encode): string {
  return query.map((pair) => pair.map(encode).join("=")).join("&");
}

function hmac(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

export interface LinkLookup {
  /** The caller whom links that this key has signed stand for. */
  readonly find: (keyId: number) => Promise<LinkCaller | undefined>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Who has signed a query. Throws `UNAUTHORIZED`, which says what is wrong with the link but not whether there is such a key,
 * and `VALIDATION_ERROR` for a link that was signed well but does not say, or not as it must, until when it holds.
 */
export async function authenticateLink(query: Query, { find, now }: LinkLookup): Promise<Caller> {
  const keyId = parseId(only(query, "key_id") ?? "");
  const signature = only(query, "signature") ?? "";
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
  const found = await find(keyId);
  if (!found) throw doesNotMatch("unknown", query);
  const texts = signableTexts(query);
  const isSigned = signingSecrets(found.secrets, now).some((secret) =>
    texts.some((text) => isEqual(hmac(text, secret), signature)),
  );
  if (!isSigned) throw doesNotMatch("forged", query);
  const refused = invalidKeyReason(found.caller, now);
  if (refused)
    throw new UnauthorizedError(refused, `The API key that signed this link is ${refused}. Sign it with another key.`);
  const end = endOf(query, now);
  if (end <= now) {
    throw new UnauthorizedError(
      "expired",
      `This signed link expired at ${new Date(end).toISOString()}. Sign it again.`,
    );
  }
  return found.caller;
}

/** In the same words where there is no such key: who guesses ids learns nothing. */
function doesNotMatch(reason: "unknown" | "forged", query: Query): UnauthorizedError {
  const message =
    "The `signature` of the link does not match. It must be the HMAC-SHA256 in lower-case hex of the text in " +
    "`details.signed_text`, with the whole signing secret of the key `key_id` (`whsec_…`) as its key.";
  return new UnauthorizedError(reason, message, { signed_text: signedText(query) });
}

/**
 * When a link ends, in milliseconds since 1970. Throws `VALIDATION_ERROR` where that is no end that a link can have: only who
 * signed it is told.
 */
function endOf(query: Query, now: number): number {
  const expires = only(query, "expires") ?? "";
  if (!/^\d{1,15}$/.test(expires)) throw wrongEnd("must be sent once, in seconds since 1970");
  const end = Number(expires) * 1000;
  if (end - now > MAX_AHEAD_S * 1000) throw wrongEnd("must be at most a year ahead, in seconds since 1970");
  return end;
}

function wrongEnd(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'expires' ${message}.`, { details: { expires: [message] } });
}

/** The value of a parameter that is there once. */
function only(query: Query, name: LinkParameter): string | undefined {
  const values = query.filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
