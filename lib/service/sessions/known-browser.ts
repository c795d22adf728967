// A signed cookie that proves that a browser has signed in to an e-mail address before, so that strangers who ask for codes to that
// address cannot lock it out. It opens nothing: it only decides whose limit an attempt counts against.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a browser is known after it signed in, in milliseconds: about what browsers keep a cookie for at most. */
export const KNOWN_BROWSER_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

/** Addresses that one browser can be known for, the latest first. */
const MAX_ADDRESSES = 5;

interface Proof {
  /** Distinguishes the browsers of an address, so that each has limits of its own. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly signature: string;
}

/** Returns the id of a browser that has signed in to an address before, by the value of its cookie; undefined for any other. */
export function knownBrowserId(
  cookieValue: string | undefined,
  { secret, email, now }: { readonly secret: string; readonly email: string; readonly now: number },
): string | undefined {
  const proofs = parseProofs(cookieValue);
  return proofs.find((proof) => proof.expiresAt > now && isEqual(proof.signature, sign(proof, { secret, email })))?.id;
}

/** Returns the value of the cookie of a browser that has just signed in to an address, from the value that it had. */
export function rememberAddress(
  cookieValue: string | undefined,
  { secret, email, now }: { readonly secret: string; readonly email: string; readonly now: number },
): string {
  const others = parseProofs(cookieValue).filter((proof) => !isEqual(proof.signature, sign(proof, { secret, email })));
  const facts = { id: randomBytes(16).toString("base64url"), expiresAt: now + KNOWN_BROWSER_LIFETIME_MS };
  const proofs = [{ ...facts, signature: sign(facts, { secret, email }) }, ...others].slice(0, MAX_ADDRESSES);
  return proofs.map(({ id, expiresAt, signature }) => [id, expiresAt, signature].join(".")).join("~");
}

/** The first part keeps the signature apart from everything else that is signed with the secret. */
function sign(
  { id, expiresAt }: Omit<Proof, "signature">,
  { secret, email }: { readonly secret: string; readonly email: string },
): string {
  const text = JSON.stringify(["known-browser", id, expiresAt, email.toLowerCase()]);
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function parseProofs(cookieValue = ""): Proof[] {
  return cookieValue.split("~", MAX_ADDRESSES).flatMap((text) => {
    const [, id, expiresAt, signature] = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
    if (id === undefined || expiresAt === undefined || signature === undefined) return [];
    return [{ id, expiresAt: Number(expiresAt), signature }];
  });
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
