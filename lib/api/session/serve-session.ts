// Routes of the session of a browser, and of all sessions of its account.
import { ApiError } from "../../errors/api-error.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { sessionEnded } from "../../sessions/authenticate-session.ts";
import { expiredSessionCookie, sessionCookie } from "../../sessions/session-cookie.ts";
import {
  endOtherSessions,
  endSession,
  extendSession,
  findSessionAccount,
  listSessions,
} from "../../sessions/session-store.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { requireOwnPage } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import { guardedRoutes, type Owner, type PageSession, requireSession } from "./guard.ts";
import type { SessionState, Sessions, SignInDoors } from "./responses.ts";
import { bodyOptions } from "./session-options.ts";
import { listedSession, sessionState, signInDoors } from "./session-state.ts";
import { signIn } from "./sign-in.ts";

export type SessionResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

type SessionBody = ResponseBody<typeof SessionState | typeof Sessions | typeof SignInDoors>;

/** Answers a request for one of these routes. */
export const serveSession = guardedRoutes<"session", SessionResources, ApiResponse<SessionBody>>({
  "POST /session": (request, _, env) => signIn(request, env),
  "GET /session": current,
  "DELETE /session": (request, _, env) => signOut(request, env),
  "GET /sessions": list,
  "DELETE /sessions": endOthers,
  "DELETE /sessions/{id}": end,
  "GET /sign-in": () => Promise.resolve(json(200, signInDoors())),
});

/** A session is extended when it was not used for this time. */
const EXTENSION_INTERVAL_MS = 5 * 60 * 1000;

/** GET /session: the session and its account. Extends the session. */
async function current(
  request: ApiRequest,
  { session, token }: PageSession,
  env: SessionResources,
): Promise<ApiResponse<SessionBody>> {
  parseNothing(bodyOptions(request));
  const account = await findSessionAccount(env.ACCOUNTS_TABLE, session.account_id);
  if (!account) throw sessionEnded("unknown");
  const now = request.receivedAt;
  if (now - session.last_used_at < EXTENSION_INTERVAL_MS) return json(200, sessionState({ session, account }));
  const extended = await extendSession(env.ACCOUNTS_TABLE, { session, token }, now);
  if (!extended) throw sessionEnded("revoked");
  return json(200, sessionState({ session: extended, account }), { "Set-Cookie": sessionCookie(token, env.BASE_URL) });
}

/** DELETE /session: signs out. Without a session, only the cookie is removed. */
async function signOut(request: ApiRequest, env: SessionResources): Promise<ApiResponse<never>> {
  requireOwnPage(request);
  parseNothing(bodyOptions(request));
  const { session } = (await requireSession(request, env).catch(ignoreEnded)) ?? {};
  if (session) await endSession(env.ACCOUNTS_TABLE, session.account_id, session.id);
  return { status: 204, headers: { "Set-Cookie": expiredSessionCookie(env.BASE_URL) } };
}

function ignoreEnded(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== "UNAUTHORIZED") throw error;
}

/** GET /sessions: the sessions of the account, the most recently used first. */
async function list(
  request: ApiRequest,
  { session }: PageSession,
  env: SessionResources,
): Promise<ApiResponse<SessionBody>> {
  parseNothing(bodyOptions(request));
  const sessions = await listSessions(env.ACCOUNTS_TABLE, session.account_id, request.receivedAt);
  return json(200, { data: sessions.map((each) => listedSession(each, session.id)) });
}

/** DELETE /sessions/{id}: ends a session of the account. */
async function end(request: ApiRequest, { session }: Owner, env: SessionResources): Promise<ApiResponse<never>> {
  parseNothing(bodyOptions(request));
  const hasEnded = await endSession(env.ACCOUNTS_TABLE, session.account_id, request.pathParameters["id"] ?? "");
  if (!hasEnded) throw new ApiError("NOT_FOUND", "The account has no session of this id. It may have ended already.");
  return { status: 204 };
}

/** DELETE /sessions: ends all sessions of the account but the current one. */
async function endOthers(request: ApiRequest, { session }: Owner, env: SessionResources): Promise<ApiResponse<never>> {
  parseNothing(bodyOptions(request));
  await endOtherSessions(env.ACCOUNTS_TABLE, session);
  return { status: 204 };
}
