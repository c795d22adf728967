// Shows accounts to an operator, and changes them.
import { ApiError } from "../../contract/errors/api-error.ts";
import { validationError } from "../../contract/options/parse-options.ts";
import type { KeyRing } from "../account/account.ts";
import { NoSuchAccount, readKeyRing } from "../account/account-store.ts";
import { isDirectoryComplete, queryDirectory } from "../account/directory.ts";
import type { parseSuspension, SuspensionResources } from "../account/suspension.ts";
import { transact } from "../aws/transaction.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { sendMail } from "../mail/send-mail.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { parseId } from "../platform/ids.ts";
import { signInLinkWrite } from "../sessions/sign-in-link.ts";
import { changePlanAudited, resumeAudited, setLimitsAudited, suspendAudited } from "./account-changes.ts";
import type { ChangeLimitsOptions, ChangePlanOptions, ListAccountsOptions, ReasonOptions } from "./account-options.ts";
import type { AccountRows, OperatedAccount } from "./account-responses.ts";
import { auditEntry, auditWrite, logAudit } from "./audit-log.ts";
import { type AuditContext, auditContext } from "./audited-change.ts";
import { type AccountEnvironment, describeAccount, describeRows } from "./describe-account.ts";
import { operatorSignInLinkMail } from "./operator-mails.ts";

type AccountVariable = keyof AccountEnvironment;
type ChangeCall<Options, Variable extends keyof Environment = never> = RouteCall<
  "operator",
  Options,
  AccountVariable | "ACTIVITY_TABLE" | Variable
>;
type AccountAnswer = ApiResponse<ResponseBody<typeof OperatedAccount>>;

/** Accounts in a page of the list. */
const PAGE_ACCOUNTS = 25;

/** A page of the accounts, newest first, or of those that match. */
export async function listAccounts({
  request,
  options: { search, after },
  env,
}: RouteCall<"operator", ListAccountsOptions, "USAGE_TABLE">): Promise<ApiResponse<ResponseBody<typeof AccountRows>>> {
  const query = { search, after, pageSize: PAGE_ACCOUNTS };
  const [{ rows, next }, is_complete] = await Promise.all([
    queryDirectory(env.ACCOUNTS_TABLE, query).catch((error) => {
      throw error instanceof RangeError ? validationError([["after", "must be `next` of the page before"]]) : error;
    }),
    isDirectoryComplete(env.ACCOUNTS_TABLE),
  ]);
  return json(200, { data: await describeRows(rows, env, request.receivedAt), next: next ?? null, is_complete });
}

/** An account. Throws `NOT_FOUND`. */
export async function getAccount(call: RouteCall<"operator", unknown, AccountVariable>): Promise<AccountAnswer> {
  return answer(call, await findAccount(call));
}

/** Changes the plan. Throws `NOT_FOUND`, or `CONFLICT` for a change back to the trial. */
export async function changeAccountPlan(call: ChangeCall<ChangePlanOptions>): Promise<AccountAnswer> {
  const { options, env } = call;
  const tables = { accounts: env.ACCOUNTS_TABLE, usage: env.USAGE_TABLE };
  return change(call, (context, accountId) =>
    changePlanAudited(context, tables, { accountId, ...options }).catch((error) => {
      throw error instanceof RangeError ? new ApiError("CONFLICT", error.message) : error;
    }),
  );
}

/** Suspends an account, or changes the reason and the billing of one that is suspended. Throws `NOT_FOUND`. */
export async function suspend(
  call: ChangeCall<ReturnType<typeof parseSuspension>, keyof SuspensionResources>,
): Promise<AccountAnswer> {
  return change(call, (context, accountId) => suspendAudited(context, call.env, { accountId, ...call.options }));
}

/** Resumes an account. Throws `NOT_FOUND`. */
export async function resume(call: ChangeCall<ReasonOptions, keyof SuspensionResources>): Promise<AccountAnswer> {
  return change(call, (context, accountId) => resumeAudited(context, call.env, { accountId, ...call.options }));
}

/** Sets limits, and gives others back to the plan. Throws `NOT_FOUND` or `VALIDATION_ERROR`. */
export async function changeLimits(call: ChangeCall<ChangeLimitsOptions>): Promise<AccountAnswer> {
  const { limits: changes, reason } = call.options;
  return change(call, (context, accountId) =>
    setLimitsAudited(context, call.env.ACCOUNTS_TABLE, { accountId, changes, reason }),
  );
}

/**
 * Mails the owner of an account a link to sign in, which no operator sees. Throws `NOT_FOUND`, or `CONFLICT` for an account without an
 * address, and where no mail is sent.
 */
export async function sendSignInLink(call: ChangeCall<ReasonOptions>): Promise<ApiResponse<never>> {
  const { options, env } = call;
  const { account } = await findAccount(call);
  const from = optionalVariable("MAIL_FROM");
  if (from === undefined) throw new ApiError("CONFLICT", "This service sends no e-mail.");
  if (account.email === null) throw new ApiError("CONFLICT", "The account has no e-mail address.");
  const { activityTable, actor, now } = auditContext(call);
  const { link, write } = signInLinkWrite(env.ACCOUNTS_TABLE, { accountId: account.id, baseUrl: env.BASE_URL, now });
  const entry = auditEntry(actor, { action: "account.sign_in_link_sent", account_id: account.id, ...options }, now);
  await transact([write, auditWrite(activityTable, entry)]);
  logAudit(entry);
  await sendMail({ from, to: account.email, ...operatorSignInLinkMail(account.id, link) });
  return { status: 202 };
}

/** Changes the account of a request, and answers with it. Throws `NOT_FOUND`. */
async function change(
  call: ChangeCall<unknown>,
  apply: (context: AuditContext, accountId: number) => Promise<KeyRing>,
): Promise<AccountAnswer> {
  const ring = await apply(auditContext(call), requestedAccount(call)).catch((error) => {
    throw error instanceof NoSuchAccount ? noSuchAccount() : error;
  });
  return answer(call, ring);
}

async function answer(
  { request, env }: Pick<RouteCall<"operator", unknown, AccountVariable>, "request" | "env">,
  ring: KeyRing,
): Promise<AccountAnswer> {
  return json(200, await describeAccount(ring, env, request.receivedAt));
}

async function findAccount(call: Pick<RouteCall<"operator">, "request" | "env">): Promise<KeyRing> {
  return readKeyRing(call.env.ACCOUNTS_TABLE, requestedAccount(call)).catch((error) => {
    throw error instanceof NoSuchAccount ? noSuchAccount() : error;
  });
}

/** The id of the account in the path. Throws `NOT_FOUND` for what is no id. */
export function requestedAccount({ request }: Pick<RouteCall<"operator">, "request">): number {
  const id = parseId(request.pathParameters["id"] ?? "");
  if (Number.isNaN(id)) throw noSuchAccount();
  return id;
}

function noSuchAccount(): ApiError {
  return new ApiError("NOT_FOUND", "There is no account of this id.");
}
