// Signed links: a query that stands for a caller, because it was signed with the signing secret of their key.
//
// What is signed is the query in one form, however it was sent: every parameter but the signature as `name=value`, both
// percent-encoded as by `encodeURIComponent`, sorted by name and joined by `&`. Values of one name stay in their order,
// which is that of a list. The signature is the HMAC-SHA256 of this text in hex; its key is the whole secret as text.
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "../contract/errors.ts";
import { parseId } from "../contract/ids.ts";
import { type Caller, type LinkCaller, refusal, signingSecrets } from "./account.ts";
import { notValid } from "./authenticate.ts";

/** What a link has in place of a key; no option is called like one of them. */
export const linkParameters = ["key_id", "expires", "signature"] as const;
type LinkParameter = (typeof linkParameters)[number];

/** How far ahead a link may expire: a year, of the longer kind. */
const MAX_AHEAD_S = 366 * 24 * 60 * 60;

/** Names and values, decoded. */
export type Query = readonly (readonly [name: string, value: string])[];

/** The text of which the signature is made. */
export function signedText(query: Query): string {
  return query
    .filter(([name]) => name !== "signature")
    .map(([name, value]) => ({ name: encoded(name), value: encoded(value) }))
    .toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
    .map(({ name, value }) => `${name}=${value}`)
    .join("&");
}

/** The signature of a query, in hex. */
export function signatureOf(query: Query, secret: string): string {
  return createHmac("sha256", secret).update(signedText(query)).digest("hex");
}

export interface Finding {
  /** The caller whom links that this key has signed stand for. */
  readonly find: (keyId: number) => Promise<LinkCaller | undefined>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Who has signed a query. Throws `UNAUTHORIZED`, in the same words for every reason, and `VALIDATION_ERROR` for a link that
 * was signed well but does not say, or not as it must, until when it holds.
 */
export async function authenticateLink(query: Query, { find, now }: Finding): Promise<Caller> {
  const keyId = parseId(only(query, "key_id") ?? "");
  const signature = only(query, "signature") ?? "";
  const hasKey = query.some(([name]) => name === "access_key"); // it would be shown to all who see the link
  if (hasKey || Number.isNaN(keyId) || !/^[0-9a-f]{64}$/.test(signature)) throw notValid("malformed");
  const found = await find(keyId);
  if (!found) throw notValid("unknown");
  const isSigned = signingSecrets(found.secrets, now).map((secret) => isEqual(signatureOf(query, secret), signature));
  if (!isSigned.includes(true)) throw notValid("forged");
  const refused = refusal(found.caller, now) ?? (hasEnded(query, now) ? "expired" : undefined);
  if (refused) throw notValid(refused);
  return found.caller;
}

/** Throws `VALIDATION_ERROR` where the end is none that a link can have: only who signed it is told. */
function hasEnded(query: Query, now: number): boolean {
  const expires = only(query, "expires") ?? "";
  const ahead = Number(expires) - now / 1000;
  if (!/^\d{1,15}$/.test(expires)) throw wrongEnd("must be sent once, in seconds since 1970");
  if (ahead > MAX_AHEAD_S) throw wrongEnd("must be at most a year ahead, in seconds since 1970");
  return ahead <= 0;
}

function wrongEnd(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'expires' ${message}.`, { details: { expires: [message] } });
}

/** The value of a parameter that is there once. */
function only(query: Query, name: LinkParameter): string | undefined {
  const values = query.filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
