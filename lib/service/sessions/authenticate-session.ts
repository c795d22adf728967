// Authenticates a request by its session.
import { type Caller, invalidKeyReason } from "../account/account.ts";
import { findCaller, findSessionCaller } from "../account/account-store.ts";
import { UnauthorizedError, type UnauthorizedReason } from "../account/authenticate.ts";
import { parseSessionToken } from "./secret-token.ts";
import { type Session, sessionCaller } from "./session.ts";
import { findSession } from "./session-store.ts";

export interface SignedIn {
  readonly session: Session;
  readonly caller: Caller;
}

/** Returns the session of a token at `now` (milliseconds since 1970). Throws `UNAUTHORIZED`. */
export async function authenticateSession(table: string, token: string, now: number): Promise<SignedIn> {
  const accountId = requireSessionToken(token);
  const [session, stored] = await Promise.all([
    findSession(table, { accountId, token }, now),
    findSessionCaller(table, accountId),
  ]);
  if (!session || !stored) throw sessionEnded("unknown");
  if (session.api_key_hash === null) return { session, caller: sessionCaller(stored) };
  const keyCaller = await findCaller(table, session.api_key_hash);
  const reason = keyCaller ? invalidKeyReason(keyCaller, now) : "unknown";
  if (reason) throw sessionEnded(reason);
  return { session, caller: sessionCaller(stored, keyCaller) };
}

/** Returns the account of a well-formed token, whose session is not looked up. Throws `UNAUTHORIZED`. */
export function requireSessionToken(token: string): number {
  const accountId = parseSessionToken(token)?.accountId;
  if (accountId === undefined) throw sessionEnded("malformed");
  return accountId;
}

/** One message for every reason. */
export function sessionEnded(reason: UnauthorizedReason): UnauthorizedError {
  return new UnauthorizedError(reason, "You are not signed in, or the session has ended. Sign in again.");
}
