// Codes that prove an e-mail address: six digits, for ten minutes, bound to the browser that requested, with five tries.
import { randomInt } from "node:crypto";
import * as v from "valibot";
import { deleteItem, putItem, updateItem } from "../aws/items.ts";
import { signInCodeKey } from "../aws/table-keys.ts";
import { createBrowserToken, hashSecret } from "./secret-token.ts";

/** How long a code can be used, in milliseconds. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000;

/** How often a code can be tried. */
export const MAX_TRIES = 5;
const DIGITS = 6;

/** What a code proves. `subject` also names what it is for, so that a code is of no use for anything else. */
export interface CodeClaim {
  /** `sign-in`, or `account:ID` for the new address of an account. */
  readonly purpose: string;
  readonly email: string;
}

export interface IssuedCode {
  readonly code: string;
  /** Secret of the browser that requested: without it the code is worth nothing. */
  readonly browserToken: string;
}

/** Makes a code, which is not stored. */
export function makeCode(): IssuedCode {
  return { code: String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0"), browserToken: createBrowserToken() };
}

/** Creates a code at `now` (milliseconds since 1970). Hashes of it alone are stored. */
export async function createCode(table: string, claim: CodeClaim, now: number): Promise<IssuedCode> {
  const { code, browserToken } = makeCode();
  const expires_at = now + CODE_LIFETIME_MS;
  const item = {
    ...signInCodeKey(hashSecret(browserToken)),
    proof: proofOf(claim, { code, browserToken }),
    tries: 0,
    expires_at,
    ttl: Math.ceil(expires_at / 1000),
  };
  await putItem(table, item);
  return { code, browserToken };
}

const CodeSchema = v.object({ proof: v.string(), tries: v.number() });

/** Whether a code was right. */
export type Redemption = { readonly isProven: true } | { readonly isProven: false; readonly triesLeft: number };

export const VOID: Redemption = { isProven: false, triesLeft: 0 };

/**
 * Redeems a code at `now`. No tries are left of a code that was used, has expired, or was tried five times. An address without an
 * account has a code, too, so they say nothing about accounts.
 */
export async function redeemCode(table: string, claim: CodeClaim, sent: IssuedCode, now: number): Promise<Redemption> {
  const key = signInCodeKey(hashSecret(sent.browserToken));
  // Counted before the code is compared, so that simultaneous tries are no more than one after the other.
  const { isChanged, item } = await updateItem(table, key, {
    update: "ADD tries :one",
    condition: "tries < :max AND expires_at > :now",
    values: { ":one": 1, ":max": MAX_TRIES, ":now": now },
  });
  if (!isChanged) return VOID;
  const { proof, tries } = v.parse(CodeSchema, item);
  if (proof !== proofOf(claim, sent)) return { isProven: false, triesLeft: MAX_TRIES - tries };
  // Deleting returns the item to exactly one of several requests.
  return (await deleteItem(table, key)) ? { isProven: true } : VOID;
}

/** What is stored of a code. The browser's secret has 256 random bits, so that the six digits cannot be searched for by who reads the table. */
export function proofOf({ purpose, email }: CodeClaim, { code, browserToken }: IssuedCode): string {
  return hashSecret(JSON.stringify([purpose, email, code, browserToken]));
}
