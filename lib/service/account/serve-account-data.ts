// Exports and deletes all data of an account, for its owner alone.
import { Readable } from "node:stream";
import { ApiError } from "../../contract/errors/api-error.ts";
import { invoicesOf } from "../billing/invoice-list.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { sendMail } from "../mail/send-mail.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logError, logInfo } from "../platform/log.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { deleteResult } from "../results/result-store.ts";
import type { DeletedAccount } from "../sessions/responses.ts";
import { expiredSessionCookie } from "../sessions/session-cookie.ts";
import { type AccountStorage, deleteAccount, exportAccount } from "./account-data.ts";
import type { DeletionOptions } from "./account-data-options.ts";
import { readKeyRing } from "./account-store.ts";

type OwnerCall<Options = unknown> = RouteCall<"owner", Options, "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">;

/** Streams the data as one JSON object a line. */
export function exportData({ request, signedIn: { caller }, env }: OwnerCall): StreamedResponse<never> {
  const accountId = caller.account.id;
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

/** Deletes the caller's account if the request confirms its name, and reports by e-mail what was deleted. */
export async function removeAccount({
  request,
  signedIn: { caller },
  options: { label },
  env,
}: OwnerCall<DeletionOptions>): Promise<ApiResponse<ResponseBody<typeof DeletedAccount>>> {
  const accountId = caller.account.id;
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

function storage(env: OwnerCall["env"]): AccountStorage {
  const { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, RESULTS_BUCKET } = env;
  return { accounts: ACCOUNTS_TABLE, usage: USAGE_TABLE, activity: ACTIVITY_TABLE, results: RESULTS_BUCKET };
}
