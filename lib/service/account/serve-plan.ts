// Lets the owner of an account change to a smaller plan, cancel the plan, and take that back; and signs the address at which it pays.
import { ApiError } from "../../contract/errors/api-error.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { periodAt } from "../billing/billing-period.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { eventAccount, type OperatorEventInput } from "../operator-events/operator-event.ts";
import { operatorSecrets } from "../operator-events/operator-secret.ts";
import { mayCauseEvent } from "../operator-events/owner-events.ts";
import { queueOperatorEvent } from "../operator-events/queue-event.ts";
import { type ReportedChange, reportedChange } from "../operator-events/reported-change.ts";
import { BILLING_ADDRESS_LIFETIME_MS, billingAddress } from "../payments/billing-address.ts";
import { optionalVariable } from "../platform/environment.ts";
import type { Account } from "./account.ts";
import { accountSettings } from "./account-settings.ts";
import { readKeyRing } from "./account-store.ts";
import { schedulePlan, withdrawScheduledPlan } from "./change-plan.ts";
import type { PaymentRequest, PlanChange } from "./plan-options.ts";
import type { AccountSettings, PaymentAddress } from "./responses.ts";

type SettingsResponse = ApiResponse<ResponseBody<typeof AccountSettings>>;
type PlanCall<Options = unknown> = RouteCall<"owner", Options, "ACTIVITY_TABLE">;

/** Schedules a smaller plan, or the end of the plan, for the end of the billing period. Throws `CONFLICT` for another plan, and `RATE_LIMITED`. */
export async function scheduleOwnPlan(call: PlanCall<PlanChange>): Promise<SettingsResponse> {
  const { request, signedIn, options, env } = call;
  const { receivedAt: now } = request;
  const { id: accountId } = signedIn.caller.account;
  const { plan } = options;
  const tables = { accounts: env.ACCOUNTS_TABLE, usage: env.USAGE_TABLE };
  return reported(
    call,
    ({ account }) => planScheduled(account, plan, now),
    (further) => schedulePlan(tables, { accountId, plan, now }, further),
  );
}

/** Withdraws what is scheduled: the account keeps its plan. Throws `RATE_LIMITED`. */
export async function keepPlan(call: PlanCall): Promise<SettingsResponse> {
  const { signedIn, env } = call;
  return reported(
    call,
    ({ account }) => planContinued(account),
    (further) => withdrawScheduledPlan({ accounts: env.ACCOUNTS_TABLE }, signedIn.caller.account.id, further),
  );
}

async function reported(
  { request, signedIn, env }: PlanCall,
  describe: Parameters<typeof reportedChange>[1],
  change: Parameters<typeof reportedChange>[2],
): Promise<SettingsResponse> {
  const { receivedAt: now } = request;
  if (!(await mayCauseEvent(env.USAGE_TABLE, signedIn.caller.account.id, now))) throw tooManyChanges();
  const { ring, event }: ReportedChange = await reportedChange(
    { activityTable: env.ACTIVITY_TABLE, now },
    describe,
    change,
  );
  if (event) request.afterResponse(() => queueOperatorEvent(event));
  return json(200, accountSettings(ring.account));
}

function tooManyChanges(): ApiError {
  const message =
    "The plan of the account was changed too often today. Change it again tomorrow, or ask the operator of the service.";
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(24 * 60 * 60) } });
}

function planScheduled(account: Account, plan: PlanName | null, now: number): OperatorEventInput {
  const { id: account_id, plan: from } = account;
  const { end } = periodAt(account, now);
  const facts = eventAccount(account);
  return plan === null
    ? { type: "plan.cancelled", account_id, data: { account: facts, plan: from, ends_at: end } }
    : { type: "plan.downgraded", account_id, data: { account: facts, from, plan, effective_at: end } };
}

function planContinued(account: Account): OperatorEventInput {
  return {
    type: "plan.continued",
    account_id: account.id,
    data: { account: eventAccount(account), plan: account.plan },
  };
}

/** Signs the address at which the account takes a plan or pays. Throws `NOT_FOUND` where the operator has no such page. */
export async function createPaymentAddress({
  request,
  signedIn,
  options,
  env,
}: RouteCall<"owner", PaymentRequest, "BASE_URL">): Promise<ApiResponse<ResponseBody<typeof PaymentAddress>>> {
  const { receivedAt: now } = request;
  const billingUrl = optionalVariable("BILLING_URL");
  const [secret] = billingUrl === undefined ? [] : await operatorSecrets(env.ACCOUNTS_TABLE, now);
  if (billingUrl === undefined || secret === undefined)
    throw new ApiError("NOT_FOUND", "This service has no page for payments. Ask its operator for another plan.");
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, signedIn.caller.account.id);
  const plan = options.plan ?? undefined;
  if (plan !== undefined && plan === account.plan && !account.scheduled_plan)
    throw new ApiError("CONFLICT", `The account has the plan ${plans[plan].label} already.`);
  const expiresAt = now + BILLING_ADDRESS_LIFETIME_MS;
  const url = billingAddress(
    billingUrl,
    {
      accountId: account.id,
      plan,
      periodStart: periodAt(account, now).start,
      returnTo: `${env.BASE_URL}/app/billing`,
      expiresAt,
    },
    secret,
  );
  return json(201, { url, expires_at: new Date(expiresAt).toISOString() });
}
