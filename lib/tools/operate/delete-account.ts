// Deletes an account in the process of the command, which may take hours, and leaves the sweep to the service.
import type { Account } from "../../service/account/account.ts";
import { findDeletion, requestDeletion } from "../../service/account-data/account-deletion.ts";
import { runDeletionStep } from "../../service/account-data/deletion-step.ts";
import type { AccountResources } from "../local/cli/find-service.ts";
import { CommandUsageError } from "./arguments.ts";

/** As in stages: running captures have ended by then. */
const SWEEP_SECONDS = 900;
/** All counters, however long the stage keeps them. */
const ALL_DAYS = 36_500;

/** Deletes an account with all its data, and resolves to how much it was. It can be repeated after it was interrupted. */
export async function deleteNow(
  { accounts, usage, activity, results, queue }: AccountResources,
  account: Account,
  now: number,
) {
  const { id: accountId, label } = account;
  // Without an address: the operator tells the owner, if anyone does.
  const { id, step } = await requestDeletion(accounts, { ...account, email: null }, now);
  const env = {
    ACCOUNTS_TABLE: accounts,
    USAGE_TABLE: usage,
    ACTIVITY_TABLE: activity,
    RESULTS_BUCKET: results,
    ACCOUNT_DATA_QUEUE_URL: queue,
    USAGE_RETENTION_DAYS: ALL_DAYS,
    DELETION_SWEEP_SECONDS: SWEEP_SECONDS,
  };
  const seconds = await runDeletionStep({ accountId, id, step }, env, { stepMs: Number.POSITIVE_INFINITY });
  if (seconds !== undefined) {
    throw new CommandUsageError("The account is being deleted. If that was interrupted, try again in three minutes.");
  }
  return { account_id: accountId, label, ...(await findDeletion(accounts, accountId))?.deleted };
}
