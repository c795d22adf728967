// Changes the e-mail address of an account, and undoes that by a link that the previous address gets: who has taken an account over
// by changing its address does not keep it. A link works once, for 72 hours, also if another person holds the account.
import * as v from "valibot";
import { queryItems } from "../aws/items.ts";
import { addressUndoKey, addressUndoPartition } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { createAccountLinkToken, hashSecret, parseAccountLinkToken } from "../sessions/secret-token.ts";
import type { KeyRing } from "./account.ts";
import { emailWrite, releaseEmailWrite } from "./account-email.ts";
import { FurtherWriteFailed, updateKeyRing } from "./account-store.ts";

/** How long a change can be undone, in milliseconds. */
const UNDO_LIFETIME_MS = 72 * 60 * 60 * 1000;

/** Links that one undo voids: far more changes than the limits of codes let an account have in 72 hours. */
const MAX_VOIDED_LINKS = 80;

/** Thrown when another account has the address. */
export class AddressTaken extends Error {}

/** A change of an address that can be undone. */
export interface AddressChange {
  readonly previous: string;
  /** Secret of the link that undoes it, which is stored nowhere. */
  readonly undoToken: string;
  /** Milliseconds since 1970. */
  readonly undoUntil: number;
}

/**
 * Gives an account an address at `now` (milliseconds since 1970). `check` gets the account as it is in the transaction, and
 * throws to refuse. Resolves to undefined for the first address of an account, and when it has the address already. Throws
 * `AddressTaken`.
 */
export async function changeAccountAddress(
  table: string,
  { accountId, email, check, now }: { accountId: number; email: string; check: (ring: KeyRing) => void; now: number },
): Promise<AddressChange | undefined> {
  const undoToken = createAccountLinkToken(accountId);
  const undoUntil = now + UNDO_LIFETIME_MS;
  let previous: string | null = null;
  const change = (ring: KeyRing) => {
    check(ring);
    previous = ring.account.email;
    return previous === email ? ring : { ...ring, account: { ...ring.account, email } };
  };
  await updateKeyRing(table, accountId, change, ({ account }) => [
    emailWrite(table, { email, accountId }),
    ...(account.email === null
      ? []
      : [
          releaseEmailWrite(table, { email: account.email, accountId }),
          undoWrite(table, { accountId, token: undoToken, email: account.email, now, expires_at: undoUntil }),
        ]),
  ]).catch((error) => {
    throw error instanceof FurtherWriteFailed ? new AddressTaken() : error;
  });
  return previous === null || previous === email ? undefined : { previous, undoToken, undoUntil };
}

/**
 * Gives an account an address, or none, on behalf of the operator: no mail is sent, and nothing undoes it. `further` items are stored in the
 * same transaction. Throws `AddressTaken`.
 */
export async function setAddress(
  table: string,
  accountId: number,
  email: string | null,
  further: (before: KeyRing) => readonly Write[] = () => [],
): Promise<KeyRing> {
  const change = (ring: KeyRing) =>
    ring.account.email === email ? ring : { ...ring, account: { ...ring.account, email } };
  return updateKeyRing(table, accountId, change, (before) => [
    ...(email === null ? [] : [emailWrite(table, { email, accountId })]),
    ...(before.account.email === null ? [] : [releaseEmailWrite(table, { email: before.account.email, accountId })]),
    ...further(before),
  ]).catch((error) => {
    throw error instanceof FurtherWriteFailed ? new AddressTaken("Another account has this address.") : error;
  });
}

function undoWrite(
  table: string,
  facts: { accountId: number; token: string; email: string; now: number; expires_at: number },
): Write {
  const { accountId, token, email, now, expires_at } = facts;
  const key = addressUndoKey(accountId, hashSecret(token));
  return {
    Put: { TableName: table, Item: { ...key, email, changed_at: now, expires_at, ttl: Math.ceil(expires_at / 1000) } },
  };
}

const UndoSchema = v.object({ sk: v.string(), email: v.string(), changed_at: v.number(), expires_at: v.number() });

/** What an undo has done. */
export interface UndoneChange {
  readonly accountId: number;
  readonly restored: string;
  /** The address that the account had until now; null without one. */
  readonly removed: string | null;
}

/**
 * Gives an account the address back that it had before a change, at `now` (milliseconds since 1970). The links of later changes
 * are void afterwards, so that who made those cannot take it back. Resolves to undefined when the link was used, has expired or
 * is unknown. Throws `AddressTaken`; the link then still works.
 */
export async function undoAccountAddressChange(
  table: string,
  token: string,
  now: number,
): Promise<UndoneChange | undefined> {
  const accountId = parseAccountLinkToken(token)?.accountId;
  if (accountId === undefined) return undefined;
  const undos = await queryUndos(table, accountId);
  const undo = undos.find(({ sk }) => sk === hashSecret(token));
  if (!undo || undo.expires_at <= now) return undefined;
  const { email } = undo;
  const later = undos.filter((each) => each !== undo && each.changed_at >= undo.changed_at).slice(0, MAX_VOIDED_LINKS);
  const linkItem = ({ sk }: Pick<typeof undo, "sk">) => ({ TableName: table, Key: addressUndoKey(accountId, sk) });
  let removed: string | null = null;
  const change = (ring: KeyRing) => {
    removed = ring.account.email;
    return { ...ring, account: { ...ring.account, email } };
  };
  try {
    await updateKeyRing(table, accountId, change, ({ account }) => [
      { Delete: { ...linkItem(undo), ConditionExpression: "attribute_exists(pk)" } },
      ...later.map((each) => ({ Delete: linkItem(each) })),
      emailWrite(table, { email, accountId }),
      ...(account.email === null || account.email === email
        ? []
        : [releaseEmailWrite(table, { email: account.email, accountId })]),
    ]);
  } catch (error) {
    if (!(error instanceof FurtherWriteFailed)) throw error;
    if (error.index === 0) return undefined; // another request has used the link meanwhile
    throw new AddressTaken();
  }
  return { accountId, restored: email, removed };
}

async function queryUndos(table: string, accountId: number) {
  return (await queryItems(table, addressUndoPartition(accountId))).map((item) => v.parse(UndoSchema, item));
}
