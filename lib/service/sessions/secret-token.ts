// Secrets of sign-in: session tokens, links by e-mail, and browsers that requested a code. Only their SHA-256 hashes are stored.
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as text. */
function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 that is stored instead of a secret. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Creates the token of a session. It names its account, so that the session is one item of the account's partition. */
export function createSessionToken(accountId: number): string {
  return `ses_${accountId}_${randomSecret()}`;
}

/** Returns the account that a session token names; undefined for a text that is no session token. */
export function parseSessionToken(token: string): { readonly accountId: number } | undefined {
  return namedAccount(/^ses_(\d{1,16})_[\w-]{43}$/.exec(token));
}

function namedAccount(match: RegExpExecArray | null): { readonly accountId: number } | undefined {
  const accountId = Number(match?.[1]);
  return Number.isSafeInteger(accountId) ? { accountId } : undefined;
}

/** Creates the token of an operator's session. */
export function createOperatorToken(): string {
  return `opr_${randomSecret()}`;
}

/** True for a text that can be the token of an operator's session. */
export function isOperatorToken(token: string): boolean {
  return /^opr_[\w-]{43}$/.test(token);
}

/** Creates the secret of a one-time sign-in link. */
export function createLinkToken(): string {
  return `sgn_${randomSecret()}`;
}

/** Creates the secret of a link in a mail to the owner of an account: it undoes a change of the address, or reports a sign-in. It names the account. */
export function createAccountLinkToken(accountId: number): string {
  return `sgn_${accountId}_${randomSecret()}`;
}

/** Returns the account that the secret of such a link names; undefined for a text that is none. */
export function parseAccountLinkToken(token: string): { readonly accountId: number } | undefined {
  return namedAccount(/^sgn_(\d{1,16})_[\w-]{43}$/.exec(token));
}

/** Creates the secret of a browser that asks for a code by e-mail. */
export function createBrowserToken(): string {
  return `sgn_${randomSecret()}`;
}
