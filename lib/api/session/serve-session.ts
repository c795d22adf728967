// Routes of the session of a browser, and of all sessions of its account.
import { ApiError } from "../../errors/api-error.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { type SignedIn, sessionEnded } from "../../sessions/authenticate-session.ts";
import { expiredSessionCookie, sessionCookie } from "../../sessions/session-cookie.ts";
import { endSession, extendSession, findSessionAccount, listSessions } from "../../sessions/session-store.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceSessionLimit, requireOwnPage, signedIn } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import type { SessionState, Sessions, SignInDoors } from "./responses.ts";
import { bodyOptions } from "./session-options.ts";
import { listedSession, sessionState, signInDoors } from "./session-state.ts";
import { signIn } from "./sign-in.ts";

export type SessionResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

type SessionBody = ResponseBody<typeof SessionState | typeof Sessions | typeof SignInDoors>;

/** Answers a request for one of these routes, by its method and path template. */
export function serveSession(request: ApiRequest, env: SessionResources): Promise<ApiResponse<SessionBody>> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  switch (`${method} ${request.resource}`) {
    case "POST /session":
      return signIn(request, env);
    case "DELETE /session":
      return signOut(request, env);
    case "GET /sessions":
      return list(request, env);
    case "DELETE /sessions":
      return endOthers(request, env);
    case "DELETE /sessions/{id}":
      return end(request, env);
    case "GET /sign-in":
      return Promise.resolve(json(200, signInDoors()));
    default:
      return current(request, env);
  }
}

/** The session of a request, counted for the account's sessions. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`. */
async function requireSession(
  request: ApiRequest,
  env: SessionResources,
): Promise<SignedIn & { readonly token: string }> {
  const { sessionToken } = request;
  if (sessionToken === undefined) throw sessionEnded("missing");
  const found = await signedIn({ ...request, sessionToken }, env);
  await enforceSessionLimit(request, found.caller, env);
  parseNothing(bodyOptions(request));
  return { ...found, token: sessionToken };
}

/** A session is extended when it was not used for this time. */
const EXTENSION_INTERVAL_MS = 5 * 60 * 1000;

/** GET /session: the session and its account. Extends the session. */
async function current(request: ApiRequest, env: SessionResources): Promise<ApiResponse<SessionBody>> {
  const { session, token } = await requireSession(request, env);
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
  const { session } = (await requireSession(request, env).catch(ignoreEnded)) ?? {};
  if (session) await endSession(env.ACCOUNTS_TABLE, session.account_id, session.id);
  return { status: 204, headers: { "Set-Cookie": expiredSessionCookie(env.BASE_URL) } };
}

function ignoreEnded(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== "UNAUTHORIZED") throw error;
}

/** GET /sessions: the sessions of the account, the most recently used first. */
async function list(request: ApiRequest, env: SessionResources): Promise<ApiResponse<SessionBody>> {
  const { session } = await requireSession(request, env);
  const sessions = await listSessions(env.ACCOUNTS_TABLE, session.account_id, request.receivedAt);
  return json(200, { data: sessions.map((each) => listedSession(each, session.id)) });
}

/** DELETE /sessions/{id}: ends a session of the account. */
async function end(request: ApiRequest, env: SessionResources): Promise<ApiResponse<never>> {
  const { session } = await requireSession(request, env);
  const hasEnded = await endSession(env.ACCOUNTS_TABLE, session.account_id, request.pathParameters["id"] ?? "");
  if (!hasEnded) throw new ApiError("NOT_FOUND", "The account has no session of this id. It may have ended already.");
  return { status: 204 };
}

/** DELETE /sessions: ends all sessions of the account but the current one. */
async function endOthers(request: ApiRequest, env: SessionResources): Promise<ApiResponse<never>> {
  const { session } = await requireSession(request, env);
  const others = (await listSessions(env.ACCOUNTS_TABLE, session.account_id, request.receivedAt)).filter(
    ({ id }) => id !== session.id,
  );
  for (const { id } of others) await endSession(env.ACCOUNTS_TABLE, session.account_id, id);
  return { status: 204 };
}
