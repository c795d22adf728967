// Shows an account with its costs, shows and changes its settings, and lists its invoices.

import type { PlanName } from "../../contract/plans.ts";
import { periodAt } from "../billing/billing-period.ts";
import { invoicesOf } from "../billing/invoice-list.ts";
import { readCounts } from "../billing/period-store.ts";
import { readUsedFailures } from "../billing/quota-store.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { eventAccount, type OperatorEventInput } from "../operator-events/operator-event.ts";
import { mayCauseEvent } from "../operator-events/owner-events.ts";
import { queueOperatorEvent } from "../operator-events/queue-event.ts";
import { reportedChange } from "../operator-events/reported-change.ts";
import type { Account as AccountRecord } from "./account.ts";
import type { AccountChanges } from "./account-options.ts";
import { accountSettings } from "./account-settings.ts";
import { accountState } from "./account-state.ts";
import { readKeyRing, updateKeyRing } from "./account-store.ts";
import { effectiveLimits } from "./limits.ts";
import type { AccountResponse, AccountSettings, Invoices } from "./responses.ts";

type SettingsResponse = ApiResponse<ResponseBody<typeof AccountSettings>>;

/** The plan, the usage of this billing period, its cost, and the limits. */
export async function getAccount({
  request,
  caller: { account },
  env,
}: RouteCall<"usage", unknown, "MAX_CONCURRENT_CAPTURES">): Promise<ApiResponse<ResponseBody<typeof AccountResponse>>> {
  const now = request.receivedAt;
  const period = periodAt(account, now);
  const [counts, usedFailures] = await Promise.all([
    readCounts(env.USAGE_TABLE, account.id, period),
    readUsedFailures(env.USAGE_TABLE, { accountId: account.id, period }, now),
  ]);
  const limits = effectiveLimits(account, now, env.MAX_CONCURRENT_CAPTURES);
  return json(200, accountState(account, { period, counts, usedFailures, limits, now }));
}

export async function getAccountSettings({ caller, env }: RouteCall<"usage">): Promise<SettingsResponse> {
  return json(200, accountSettings((await readKeyRing(env.ACCOUNTS_TABLE, caller.account.id)).account));
}

/** A new request for another plan is also an event for the operator. */
export async function changeAccountSettings({
  request,
  signedIn: { caller },
  options,
  env,
}: RouteCall<"owner", AccountChanges, "ACTIVITY_TABLE">): Promise<SettingsResponse> {
  const { id } = caller.account;
  const { receivedAt: now } = request;
  const plan = options.requested_plan ?? undefined;
  const isReported = plan !== undefined && (await mayCauseEvent(env.USAGE_TABLE, id, now));
  const { ring, event } = await reportedChange(
    { activityTable: env.ACTIVITY_TABLE, now },
    ({ account }) => (isReported && plan !== account.requested_plan ? planRequested(account, plan) : undefined),
    (further) =>
      updateKeyRing(
        env.ACCOUNTS_TABLE,
        id,
        (current) => ({ ...current, account: { ...current.account, ...options } }),
        further,
      ),
  );
  if (event) request.afterResponse(() => queueOperatorEvent(event));
  return json(200, accountSettings(ring.account));
}

function planRequested(account: AccountRecord, plan: PlanName): OperatorEventInput {
  return {
    type: "plan.requested",
    account_id: account.id,
    data: { account: eventAccount(account), from: account.plan, plan },
  };
}

/** The cost of each billing period, newest first. */
export async function listInvoices({
  request,
  caller,
  env,
}: RouteCall<"usage">): Promise<ApiResponse<ResponseBody<typeof Invoices>>> {
  return json(200, { data: await invoicesOf(env.USAGE_TABLE)(caller.account, request.receivedAt) });
}
