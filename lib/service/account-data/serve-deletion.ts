// Starts the deletion of an account, for its owner alone, and shows how far it is.
import { ApiError } from "../../contract/errors/api-error.ts";
import { releaseEmail } from "../account/account-email.ts";
import { readKeyRing } from "../account/account-store.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { logError } from "../platform/log.ts";
import { expiredSessionCookie } from "../sessions/session-cookie.ts";
import { deleteOtherSessions, deleteSession } from "../sessions/session-store.ts";
import { describeDeletion, findDeletion, parseDeletionId, requestDeletion } from "./account-deletion.ts";
import type { DeletionOptions } from "./deletion-options.ts";
import type { AccountDeletion } from "./responses.ts";
import { revokeAllKeys } from "./revoke-keys.ts";
import { enqueueStep } from "./task-queue.ts";

type DeletionResponse = ApiResponse<ResponseBody<typeof AccountDeletion>>;

/**
 * Starts the deletion of the caller's account if the request confirms its name. Its keys and sessions end at once, and its address is
 * free for another account. Until then, the request can be repeated; from then on the deletion can't be lost.
 */
export async function startDeletion({
  request,
  signedIn: { caller, session },
  options: { label },
  env,
}: RouteCall<"owner", DeletionOptions, "BASE_URL" | "ACCOUNT_DATA_QUEUE_URL">): Promise<DeletionResponse> {
  const accountId = caller.account.id;
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  if (label !== account.label) {
    const message = "must be the name of the account, letter by letter, so that none is deleted by mistake";
    throw new ApiError("VALIDATION_ERROR", `Option 'label' ${message}.`, { details: { label: [message] } });
  }
  const deletion = await requestDeletion(env.ACCOUNTS_TABLE, account, request.receivedAt);
  const { id, step } = deletion;
  await enqueueStep(env.ACCOUNT_DATA_QUEUE_URL, { kind: "deletion", account_id: accountId, id, step });
  try {
    if (account.email !== null) await releaseEmail(env.ACCOUNTS_TABLE, { email: account.email, accountId });
    await revokeAllKeys(env.ACCOUNTS_TABLE, accountId, new Date(request.receivedAt).toISOString());
    await deleteOtherSessions(env.ACCOUNTS_TABLE, session);
    await deleteSession(env.ACCOUNTS_TABLE, accountId, session.id);
  } catch (error) {
    logError("keys and sessions are left to the deletion", error, { account_id: accountId }); // its first step can be at it already
  }
  return json(202, describeDeletion(deletion), { "Set-Cookie": expiredSessionCookie(env.BASE_URL) });
}

/** How far a deletion is, for everyone who has its id. Throws `NOT_FOUND`. */
export async function getDeletion({
  request,
  env,
}: RouteCall<"page", unknown, "ACCOUNTS_TABLE">): Promise<DeletionResponse> {
  const id = request.pathParameters["id"] ?? "";
  const accountId = parseDeletionId(id);
  const deletion = accountId === undefined ? undefined : await findDeletion(env.ACCOUNTS_TABLE, accountId);
  if (deletion?.id !== id) {
    throw new ApiError("NOT_FOUND", "There is no deletion of this id. It is forgotten 30 days after its end.");
  }
  return json(200, describeDeletion(deletion));
}
