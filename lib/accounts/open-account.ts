// Opens an account with its first API key.

import { type PlanName, plans } from "../billing/plans.ts";
import { createId } from "../platform/ids.ts";
import { createLinkSecret } from "../results/link-secret.ts";
import { type Account, type KeyRing, scopes } from "./account.ts";
import { createKeyRing } from "./account-store.ts";
import { type IssuedKey, issueKey } from "./issue-key.ts";

/**
 * Opens an account with one key that has every scope. The first account also creates the secret for result links. `now`
 * is milliseconds since 1970.
 */
export async function openAccount(
  table: string,
  { plan, label, now }: { plan: PlanName; label: string; now: number },
): Promise<IssuedKey & { readonly ring: KeyRing }> {
  await createLinkSecret(table);
  const created_at = new Date(now).toISOString();
  const isTrial = plans[plan].trialDays !== undefined;
  for (let id = createId(now, Math.random()); ; id++) {
    const account: Account = { id, plan, label, created_at, billed_from: isTrial ? null : created_at, version: 1 };
    const issued = issueKey({ account_id: id, label, scopes: [...scopes], expires_at: null }, now);
    const ring = { account, keys: [issued.apiKey] };
    if (await createKeyRing(table, ring)) return { ...issued, ring };
  }
}
