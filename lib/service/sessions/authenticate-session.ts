// Authenticates a request by its session, and protects it from other sites (CSRF).

import { ApiError } from "../../contract/errors/api-error.ts";
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

interface BrowserRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Throws `FORBIDDEN` for a request that another site may have started: browsers send the cookie with it. Every current
 * browser states the origin in `Sec-Fetch-Site`; older ones send `Origin`.
 * https://www.w3.org/TR/fetch-metadata/
 */
export function requireSameOrigin({ headers }: BrowserRequest, baseUrl: string | undefined): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined ? isOwnOrigin(headers, baseUrl) : site === "same-origin") return;
  throw new ApiError(
    "FORBIDDEN",
    "A request with a session must come from the service's own pages. Programs send an API key instead.",
  );
}

/** Throws `FORBIDDEN` for a read that another site started. Without `Sec-Fetch-Site`, the answer is protected by CORS alone. */
export function requireOwnRead(request: BrowserRequest, baseUrl: string | undefined): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "none") requireSameOrigin(request, baseUrl);
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that a form of another site could send. */
export function requireJsonBody({ headers, body }: BrowserRequest & { readonly body: unknown }): void {
  const hasBody = body !== null && body !== "";
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (!hasBody || type.trim().toLowerCase() === "application/json") return;
  throw new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    "With a session, the body must be sent as Content-Type: application/json.",
  );
}

/** The pages can be served under two hosts: that of the base URL, and the one that the request was sent to. */
function isOwnOrigin({ origin, host }: BrowserRequest["headers"], baseUrl: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const sent = new URL(origin);
  return (baseUrl !== undefined && sent.origin === new URL(baseUrl).origin) || (sent.host !== "" && sent.host === host);
}
