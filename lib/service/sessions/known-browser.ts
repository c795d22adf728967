// A signed cookie that proves what a browser has signed in to before: an e-mail address, so that others who ask for codes to that
// address cannot lock it out, or an account, whose owner then gets no mail about a new browser. It opens nothing.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a browser is known after it signed in, in milliseconds: about what browsers keep a cookie for at most. */
export const KNOWN_BROWSER_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

/** Addresses and accounts that one browser can be known for, the latest first. */
const MAX_SUBJECTS = 10;

/** What a browser is known for: an e-mail address, or the name of an account. */
export type Subject = string;

/** The name of an account as a subject, which no e-mail address can be. */
export const accountSubject = (accountId: number): Subject => `account:${accountId}`;

/** A browser that has signed in before. */
export interface KnownBrowser {
  /** Distinguishes the browsers of a subject, so that each has limits of its own. */
  readonly id: string;
  /** When it signed in last, in milliseconds since 1970. */
  readonly since: number;
}

interface Proof {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly signature: string;
}

/** Returns a browser that has signed in to a subject before, by the value of its cookie; undefined for any other. */
export function knownBrowser(
  cookieValue: string | undefined,
  { secrets, subject, now }: { readonly secrets: readonly string[]; readonly subject: Subject; readonly now: number },
): KnownBrowser | undefined {
  const isValid = (proof: Proof) => proof.expiresAt > now && isSigned(proof, { secrets, subject });
  const proof = parseProofs(cookieValue).find(isValid);
  return proof && { id: proof.id, since: proof.expiresAt - KNOWN_BROWSER_LIFETIME_MS };
}

export interface RememberedSubjects {
  /** Signs the new proofs. */
  readonly secret: string;
  /** Verify the proofs that the cookie has. */
  readonly secrets: readonly string[];
  readonly subjects: readonly Subject[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the value of the cookie of a browser that has just signed in to subjects, from the value that it had. */
export function rememberSubjects(
  cookieValue: string | undefined,
  { secret, secrets, subjects, now }: RememberedSubjects,
): string {
  const isReplaced = (proof: Proof) => subjects.some((subject) => isSigned(proof, { secrets, subject }));
  const added = subjects.map((subject) => {
    const facts = { id: randomBytes(16).toString("base64url"), expiresAt: now + KNOWN_BROWSER_LIFETIME_MS };
    return { ...facts, signature: sign(facts, { secret, subject }) };
  });
  const others = parseProofs(cookieValue).filter((proof) => !isReplaced(proof));
  const proofs = [...added, ...others].slice(0, MAX_SUBJECTS);
  return proofs.map(({ id, expiresAt, signature }) => [id, expiresAt, signature].join(".")).join("~");
}

/** The first part keeps the signature apart from everything else that is signed with the secret. */
function sign(
  { id, expiresAt }: Omit<Proof, "signature">,
  { secret, subject }: { readonly secret: string; readonly subject: Subject },
): string {
  const text = JSON.stringify(["known-browser", id, expiresAt, subject.toLowerCase()]);
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function isSigned(
  proof: Proof,
  { secrets, subject }: { readonly secrets: readonly string[]; readonly subject: Subject },
): boolean {
  return secrets.some((secret) => isEqual(proof.signature, sign(proof, { secret, subject })));
}

function parseProofs(cookieValue = ""): Proof[] {
  return cookieValue.split("~", MAX_SUBJECTS).flatMap((text) => {
    const [, id, expiresAt, signature] = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
    if (id === undefined || expiresAt === undefined || signature === undefined) return [];
    return [{ id, expiresAt: Number(expiresAt), signature }];
  });
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
