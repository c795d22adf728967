// Opens an account with its first API key.

import { type PlanName, plans } from "../../contract/plans.ts";
import type { Write } from "../aws/transaction.ts";
import { type IssuedKey, issueKey } from "../keys/issue-key.ts";
import { createId } from "../platform/ids.ts";
import { createLinkSecret, linkSecret } from "../results/link-secret.ts";
import { type Account, type KeyRing, scopes } from "./account.ts";
import { emailWrite, returnWrite, trialWrite } from "./account-email.ts";
import { createKeyRing } from "./account-store.ts";

/**
 * Opens an account with one key that has every scope. The first account also creates the secret for result links. `now`
 * is milliseconds since 1970. `further` items are stored in the same transaction as the account.
 */
export async function openAccount(
  table: string,
  { plan, label, now }: NewAccount,
  further: (opened: KeyRing) => readonly Write[] = () => [],
): Promise<IssuedKey & { readonly ring: KeyRing }> {
  await createLinkSecret(table);
  for (let id = createId(now, Math.random()); ; id++) {
    const account = newAccount(id, { plan, label, now });
    const issued = issueKey({ account_id: id, label, scopes: [...scopes], expires_at: null }, now);
    const ring = { account, keys: [issued.apiKey] };
    if (await createKeyRing(table, ring, further(ring))) return { ...issued, ring };
  }
}

/**
 * Opens a trial for an e-mail address, without a key: its owner creates one after signing in. Throws `FurtherWriteFailed` when
 * another account has the address, or its mailbox has had a trial.
 */
export async function openTrial(table: string, { email, now }: { email: string; now: number }): Promise<KeyRing> {
  return openByEmail(table, { email, now, hasTrial: true });
}

/**
 * Opens an account for an e-mail address whose mailbox has had its trial. It has no captures until its owner gets a paid plan. Throws
 * `FurtherWriteFailed` when another account has the address.
 */
export async function openWithoutTrial(
  table: string,
  { email, now }: { email: string; now: number },
): Promise<KeyRing> {
  return openByEmail(table, { email, now, hasTrial: false });
}

async function openByEmail(
  table: string,
  { email, now, hasTrial }: { email: string; now: number; hasTrial: boolean },
): Promise<KeyRing> {
  await linkSecret(table); // throws in a stage that its operator has not set up; signing up may not create secrets
  for (let id = createId(now, Math.random()); ; id++) {
    const opened = { ...newAccount(id, { plan: "free", label: email, now }), email };
    const ring = { account: hasTrial ? opened : { ...opened, has_trial: false as const }, keys: [] };
    const further = [emailWrite(table, { email, accountId: id }), (hasTrial ? trialWrite : returnWrite)(table, email)];
    if (await createKeyRing(table, ring, further)) return ring;
  }
}

interface NewAccount {
  readonly plan: PlanName;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function newAccount(id: number, { plan, label, now }: NewAccount): Account {
  const created_at = new Date(now).toISOString();
  const billed_from = plans[plan].trialDays === undefined ? created_at : null;
  return {
    id,
    plan,
    label,
    created_at,
    billed_from,
    email: null,
    requested_plan: null,
    quota_alerts: true,
    key_alerts: true,
    store_thumbnails: true,
    version: 1,
  };
}
