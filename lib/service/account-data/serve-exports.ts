// Starts exports, and shows how far they are: of all data of an account, for its owner, and of captures.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { parseId } from "../platform/ids.ts";
import { linkSecret } from "../results/link-secret.ts";
import type { ExportOptions } from "../usage/usage-options.ts";
import { type DataExport, describeExport, type ExportRequest, newExport } from "./data-export.ts";
import { findExport, listExports, putExport } from "./export-store.ts";
import type { DataExportResponse, DataExports } from "./responses.ts";
import { enqueueStep } from "./task-queue.ts";

type ExportVariable = "ACTIVITY_TABLE" | "BASE_URL" | "ACCOUNT_DATA_QUEUE_URL";
type OwnerCall = RouteCall<"owner", unknown, ExportVariable>;
type CaptureCall<Options = unknown> = RouteCall<"usage", Options, ExportVariable>;
type StateResponse = ApiResponse<ResponseBody<typeof DataExportResponse>>;
type Resources = Pick<Environment, "ACCOUNTS_TABLE" | ExportVariable>;

/** Starts an export of all data of the account, unless one is running. */
export async function startAccountExport({ request, signedIn, env }: OwnerCall): Promise<StateResponse> {
  const accountId = signedIn.caller.account.id;
  const now = request.receivedAt;
  const [running] = await runningExports("account", accountId, now, env);
  const asked = { accountId, kind: "account", output: "ndjson", filter: {} } as const;
  return accepted(running ?? (await start(asked, now, env)), "/session/account/exports", now, env);
}

/** The exports of all data of the account, newest first. */
export async function listAccountExports({
  request,
  signedIn,
  env,
}: OwnerCall): Promise<ApiResponse<ResponseBody<typeof DataExports>>> {
  const now = request.receivedAt;
  const exports = await listExports(env.ACTIVITY_TABLE, signedIn.caller.account.id, now);
  const ofAccount = exports.filter(({ kind }) => kind === "account");
  return json(200, { data: await Promise.all(ofAccount.map((data) => describe(data, now, env))) });
}

/** An export of all data of the account. Throws `NOT_FOUND`. */
export async function getAccountExport({ request, signedIn, env }: OwnerCall): Promise<StateResponse> {
  const data = await requireExport("account", signedIn.caller.account.id, request, env);
  return json(200, await describe(data, request.receivedAt, env));
}

/** Starts an export of the captures that match. Throws `CONFLICT` while another one is running. */
export async function startCaptureExport({
  request,
  caller,
  options,
  env,
}: CaptureCall<ExportOptions>): Promise<StateResponse> {
  const accountId = caller.account.id;
  const now = request.receivedAt;
  const { output, ...filter } = options;
  const [running] = await runningExports("captures", accountId, now, env);
  if (running) {
    const message = `Your export ${running.id} is running. Wait until it's ready, and start another one then.`;
    throw new ApiError("CONFLICT", message);
  }
  const started = await start({ accountId, kind: "captures", output, filter }, now, env);
  return accepted(started, "/api/v1/usage/exports", now, env);
}

/** An export of captures. Throws `NOT_FOUND`. */
export async function getCaptureExport({ request, caller, env }: CaptureCall): Promise<StateResponse> {
  const data = await requireExport("captures", caller.account.id, request, env);
  return json(200, await describe(data, request.receivedAt, env));
}

async function start(asked: ExportRequest, now: number, env: Resources): Promise<DataExport> {
  const data = newExport(asked, now);
  const { account_id, id, step } = data;
  await putExport(env.ACTIVITY_TABLE, data);
  try {
    await enqueueStep(env.ACCOUNT_DATA_QUEUE_URL, { kind: "export", account_id, id, step });
  } catch (error) {
    // Or no other one could be started.
    await cleanUp(() => putExport(env.ACTIVITY_TABLE, { ...data, status: "failed" }), "export not marked as failed");
    throw error;
  }
  return data;
}

/** An export without a step for this long has lost its message: another one can be started. In milliseconds. */
const MAX_RUNNING_MS = 24 * 60 * 60 * 1000;

async function runningExports(
  wanted: DataExport["kind"],
  accountId: number,
  now: number,
  env: Resources,
): Promise<DataExport[]> {
  const exports = await listExports(env.ACTIVITY_TABLE, accountId, now);
  return exports.filter(
    ({ kind, status, created_at }) => kind === wanted && status === "running" && created_at + MAX_RUNNING_MS > now,
  );
}

async function requireExport(
  wanted: DataExport["kind"],
  accountId: number,
  { pathParameters, receivedAt }: OwnerCall["request"],
  env: Resources,
): Promise<DataExport> {
  const id = parseId(pathParameters["id"] ?? "");
  const found = Number.isNaN(id) ? undefined : await findExport(env.ACTIVITY_TABLE, { accountId, id }, receivedAt);
  if (found?.kind === wanted) return found;
  throw new ApiError(
    "NOT_FOUND",
    "The account has no export of this id. Its file may have expired: start another one.",
  );
}

async function accepted(data: DataExport, path: string, now: number, env: Resources): Promise<StateResponse> {
  const headers = { Location: `${env.BASE_URL}${path}/${data.id}` };
  return json(202, await describe(data, now, env), headers);
}

async function describe(
  data: DataExport,
  now: number,
  env: Resources,
): Promise<ResponseBody<typeof DataExportResponse>> {
  return describeExport(data, { baseUrl: env.BASE_URL, secret: await linkSecret(env.ACCOUNTS_TABLE), now });
}
