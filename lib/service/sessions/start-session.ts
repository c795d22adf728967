// Starts a session for a browser, in place of the one that it had.
import { findSessionCaller, updateKeyRing } from "../account/account-store.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { sessionEnded } from "./authenticate-session.ts";
import { shortenAddress } from "./network-address.ts";
import type { SessionStateResponse } from "./responses.ts";
import { parseSessionToken } from "./secret-token.ts";
import type { Session, SessionAccount } from "./session.ts";
import { sessionCookie } from "./session-cookie.ts";
import { sessionState } from "./session-state.ts";
import { createSession, deleteSession, findSession } from "./session-store.ts";

/** Longer than those of browsers. */
const MAX_USER_AGENT_LENGTH = 300;

export interface StartedSession extends Pick<Session, "signed_in_with" | "api_key_hash"> {
  readonly account: SessionAccount;
  /** Read when the session is stored; if it has lost its ground meanwhile, it ends. */
  readonly isStillValid?: () => Promise<boolean>;
}

/**
 * Starts a session and answers with its cookie. The token is always new, so that it cannot be chosen for another person (session
 * fixation). Throws `UNAUTHORIZED` when it is not valid any more.
 */
export async function startSession(
  request: ApiRequest,
  { account, isStillValid = async () => true, ...how }: StartedSession,
  { ACCOUNTS_TABLE, BASE_URL }: Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL">,
): Promise<ApiResponse<ResponseBody<typeof SessionStateResponse>>> {
  const { receivedAt: now, sourceIp, headers } = request;
  await ensureSessionCaller(ACCOUNTS_TABLE, account.id);
  const user_agent = headers["user-agent"]?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const facts = { account_id: account.id, ...how, user_agent, network: shortenAddress(sourceIp) };
  const { session, token } = await createSession(ACCOUNTS_TABLE, facts, now);
  if (!(await isStillValid())) {
    await deleteSession(ACCOUNTS_TABLE, account.id, session.id);
    throw sessionEnded("revoked");
  }
  await endPrevious(request, ACCOUNTS_TABLE);
  return json(201, sessionState({ session, account }), { "Set-Cookie": sessionCookie(token, BASE_URL) });
}

/** An account that was opened before there were sessions has no caller for them; any change of it stores one. */
async function ensureSessionCaller(table: string, accountId: number): Promise<void> {
  if (!(await findSessionCaller(table, accountId))) await updateKeyRing(table, accountId, (ring) => ({ ...ring }));
}

/** Ends the session that the browser had. Its cookie is replaced, so only the list could end it later. */
async function endPrevious({ sessionToken: token, receivedAt }: ApiRequest, table: string): Promise<void> {
  const accountId = token === undefined ? undefined : parseSessionToken(token)?.accountId;
  if (token === undefined || accountId === undefined) return;
  const session = await findSession(table, { accountId, token }, receivedAt);
  if (session) await deleteSession(table, accountId, session.id);
}
