// GET /session/account/export and DELETE /session/account: all data of an account, for its owner alone.
import { Readable } from "node:stream";
import * as v from "valibot";
import { type AccountStorage, deleteAccount, exportAccount } from "../../accounts/account-data.ts";
import { readKeyRing } from "../../accounts/account-store.ts";
import { ApiError } from "../../errors/api-error.ts";
import { sendMail } from "../../mail/send-mail.ts";
import { text } from "../../options/coercion.ts";
import { parseNothing, parseOptions } from "../../options/parse-options.ts";
import { type Environment, optionalVariable } from "../../platform/environment.ts";
import { logError, logInfo } from "../../platform/log.ts";
import { contentDisposition } from "../../results/content-disposition.ts";
import { deleteResult } from "../../results/result-store.ts";
import { sessionEnded } from "../../sessions/authenticate-session.ts";
import { expiredSessionCookie } from "../../sessions/session-cookie.ts";
import { invoicesOf } from "../account/invoice-list.ts";
import { type ApiRequest, queryOptions } from "../http/api-request.ts";
import { enforceSessionLimit, signedIn } from "../http/authorize.ts";
import { json, type StreamedResponse } from "../http/response.ts";
import { bodyOptions } from "./session-options.ts";

export type AccountDataResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL"
>;

/** Answers a request for one of these routes. */
export async function serveAccountData(
  request: ApiRequest,
  env: AccountDataResources,
): Promise<StreamedResponse<unknown>> {
  const accountId = await requireOwner(request, env);
  return request.method === "DELETE" ? removeAccount(request, accountId, env) : exportData(request, accountId, env);
}

/**
 * The account of the session. A session that began with an API key can do no more than the key, so it neither exports nor
 * deletes the account. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`.
 */
async function requireOwner(request: ApiRequest, env: AccountDataResources): Promise<number> {
  const { sessionToken } = request;
  if (sessionToken === undefined) throw sessionEnded("missing");
  const { session, caller } = await signedIn({ ...request, sessionToken }, env);
  await enforceSessionLimit(request, caller, env);
  if (session.api_key_hash !== null) {
    throw new ApiError("FORBIDDEN", "Sign in by e-mail or by the operator's link for this, not by an API key.");
  }
  return caller.account.id;
}

/** Streams the data as one JSON object a line. */
function exportData(request: ApiRequest, accountId: number, env: AccountDataResources): StreamedResponse {
  parseNothing(queryOptions(request));
  const name = `account-${accountId}.ndjson`;
  const headers = { "Content-Type": "application/x-ndjson", "Content-Disposition": contentDisposition(name) };
  if (request.method === "HEAD") return { status: 200, headers };
  const records = exportAccount(storage(env), accountId, {
    readInvoices: invoicesOf(env.USAGE_TABLE),
    now: request.receivedAt,
  });
  async function* lines() {
    for await (const record of records) yield `${JSON.stringify(record)}\n`;
  }
  return { status: 200, headers, body: Readable.from(lines(), { objectMode: false }) };
}

const deletionSchema = v.object({ label: text(200) }, "must be sent");

/** Deletes the caller's account if the request confirms its name, and reports by e-mail what was deleted. */
async function removeAccount(
  request: ApiRequest,
  accountId: number,
  env: AccountDataResources,
): Promise<StreamedResponse<unknown>> {
  const { label } = parseOptions({ schema: deletionSchema }, bodyOptions(request));
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  if (label !== account.label) {
    const message = "must be the name of the account, letter by letter, so that none is deleted by mistake";
    throw new ApiError("VALIDATION_ERROR", `Option 'label' ${message}.`, { details: { label: [message] } });
  }
  const report = await deleteAccount(storage(env), accountId, {
    deleteObject: (key) => deleteResult(env.RESULTS_BUCKET, key),
    now: request.receivedAt,
  });
  logInfo("account deleted", { ...report });
  await notify(account.email, report).catch((error) => logError("mail about a deleted account not sent", error));
  return json(200, report, { "Set-Cookie": expiredSessionCookie(env.BASE_URL) });
}

async function notify(email: string | null, report: Awaited<ReturnType<typeof deleteAccount>>): Promise<void> {
  const from = optionalVariable("MAIL_FROM");
  if (email === null || from === undefined) return;
  const { account_id, captures, jobs, results, api_keys } = report;
  const body = `The account ${account_id} was deleted, as you asked for in its dashboard, with all its data:
${captures} captures in the log, ${jobs} asynchronous captures, ${results} stored results, and ${api_keys} API keys.

Stored results that nothing referred to any more are deleted within 31 days.`;
  await sendMail({ from, to: email, subject: "Your account was deleted", text: body });
}

function storage(env: AccountDataResources): AccountStorage {
  const { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, RESULTS_BUCKET } = env;
  return { accounts: ACCOUNTS_TABLE, usage: USAGE_TABLE, activity: ACTIVITY_TABLE, results: RESULTS_BUCKET };
}
