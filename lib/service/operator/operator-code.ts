// Codes by e-mail with which operators sign in: like those of customers, but in items of their own.
import * as v from "valibot";
import {
  CODE_LIFETIME_MS,
  type CodeClaim,
  type IssuedCode,
  MAX_TRIES,
  makeCode,
  proofOf,
  type Redemption,
  VOID,
} from "../sessions/sign-in-code.ts";
import { endOperatorItem, findOperatorItem, putOperatorItem, replaceOperatorItem } from "./operator-items.ts";

const CodeSchema = v.object({ proof: v.string(), tries: v.number(), expires_at: v.number() });

const claimOf = (email: string): CodeClaim => ({ purpose: "operator", email });

/** Creates a code for an address at `now` (milliseconds since 1970). Hashes of it alone are stored. */
export async function createOperatorCode(table: string, email: string, now: number): Promise<IssuedCode> {
  const issued = makeCode();
  const code = { proof: proofOf(claimOf(email), issued), tries: 0, expires_at: now + CODE_LIFETIME_MS };
  await putOperatorItem(table, "CODE", issued.browserToken, code);
  return issued;
}

/** Redeems a code at `now` (milliseconds since 1970). No tries are left of a code that was used, has expired, or was tried five times. */
export async function redeemOperatorCode(
  table: string,
  email: string,
  sent: IssuedCode,
  now: number,
): Promise<Redemption> {
  const { browserToken } = sent;
  for (;;) {
    const item = await findOperatorItem(table, "CODE", browserToken, now);
    if (!item) return VOID;
    const { proof, tries, expires_at } = v.parse(CodeSchema, item);
    if (tries >= MAX_TRIES) return VOID;
    // Counted before the code is compared, so that simultaneous tries are no more than one after the other.
    const counted = { proof, tries: tries + 1, expires_at };
    const isCounted = await replaceOperatorItem(table, "CODE", browserToken, { before: item, after: counted });
    if (!isCounted) continue; // another try was counted meanwhile
    if (proof !== proofOf(claimOf(email), sent)) return { isProven: false, triesLeft: MAX_TRIES - counted.tries };
    const current = { ...item, revision: item.revision + 1 };
    return (await endOperatorItem(table, "CODE", browserToken, current)) ? { isProven: true } : VOID;
  }
}
