// Shows and ends the session of a browser, and all sessions of its account.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { sessionEnded } from "./authenticate-session.ts";
import { requireSession } from "./guard.ts";
import type { SessionStateResponse, Sessions, SignedOutResponse, SignInMethodsResponse } from "./responses.ts";
import { expiredSessionCookie, hasCookie, sessionCookie } from "./session-cookie.ts";
import { listedSession, openSignInMethods, sessionState } from "./session-state.ts";
import {
  deleteOtherSessions,
  deleteSession,
  extendSession,
  findSessionAccount,
  readSessions,
} from "./session-store.ts";

/** A session is extended when it was not used for this time. */
const EXTENSION_INTERVAL_MS = 5 * 60 * 1000;

type SessionAnswer = ResponseBody<typeof SessionStateResponse> | ResponseBody<typeof SignedOutResponse>;

/**
 * The session and its account. Extends the session. A browser without a session cookie is told so; only a session that has ended, or a
 * cookie that can't be trusted, is an error.
 */
export async function getSession({
  request,
  env,
}: RouteCall<"page", unknown, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">): Promise<ApiResponse<SessionAnswer>> {
  const isSignedOut = request.sessionToken === undefined && !hasCookie(request.cookies, "session", env.BASE_URL);
  if (isSignedOut) return json(200, { account: null, session: null, sign_in: openSignInMethods() });
  const { session, token } = await requireSession(request, env, { whileSuspended: true });
  const account = await findSessionAccount(env.ACCOUNTS_TABLE, session.account_id);
  if (!account) throw sessionEnded("unknown");
  const now = request.receivedAt;
  if (now - session.last_used_at < EXTENSION_INTERVAL_MS) return json(200, sessionState({ session, account }));
  const extended = await extendSession(env.ACCOUNTS_TABLE, { session, token }, now);
  if (!extended) throw sessionEnded("revoked");
  return json(200, sessionState({ session: extended, account }), { "Set-Cookie": sessionCookie(token, env.BASE_URL) });
}

/** Signs out. Without a session, only the cookie is removed. */
export async function signOut({
  request,
  env,
}: RouteCall<"page", unknown, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">): Promise<ApiResponse<never>> {
  const { session } = (await requireSession(request, env, { whileSuspended: true }).catch(ignoreEnded)) ?? {};
  if (session) await deleteSession(env.ACCOUNTS_TABLE, session.account_id, session.id);
  return { status: 204, headers: { "Set-Cookie": expiredSessionCookie(env.BASE_URL) } };
}

function ignoreEnded(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== "UNAUTHORIZED") throw error;
}

/** The sessions of the account, the most recently used first. */
export async function listAllSessions({
  request,
  signedIn: { session },
  env,
}: RouteCall<"session">): Promise<ApiResponse<ResponseBody<typeof Sessions>>> {
  const sessions = await readSessions(env.ACCOUNTS_TABLE, session.account_id, request.receivedAt);
  return json(200, { data: sessions.map((each) => listedSession(each, session.id)) });
}

/** Ends a session of the account. Throws `NOT_FOUND`. */
export async function endOneSession({
  request,
  signedIn: { session },
  env,
}: RouteCall<"owner">): Promise<ApiResponse<never>> {
  const hasEnded = await deleteSession(env.ACCOUNTS_TABLE, session.account_id, request.pathParameters["id"] ?? "");
  if (!hasEnded) throw new ApiError("NOT_FOUND", "The account has no session of this id. It may have ended already.");
  return { status: 204 };
}

/** Ends all sessions of the account but the current one. */
export async function endAllOtherSessions({
  signedIn: { session },
  env,
}: RouteCall<"owner">): Promise<ApiResponse<never>> {
  await deleteOtherSessions(env.ACCOUNTS_TABLE, session);
  return { status: 204 };
}

/** Which ways to sign in are open to everyone. */
export function listSignInMethods(): ApiResponse<ResponseBody<typeof SignInMethodsResponse>> {
  return json(200, openSignInMethods());
}
