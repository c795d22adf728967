// The guard of the routes for the pages: it lets in a signed-in browser, or the owner of the account, and yields the session.

import { ApiError } from "../../contract/errors/api-error.ts";
import { hasBearerHeader } from "../account/authenticate.ts";
import { type ApiRequest, readCredentials } from "../http/api-request.ts";
import {
  type AdmissionOptions,
  authenticateRequest,
  enforceRateLimit,
  enforceSessionLimit,
  signedIn,
} from "../http/authorize.ts";
import type { Environment } from "../platform/environment.ts";
import { type SignedIn, sessionEnded } from "./authenticate-session.ts";

export type GuardResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/** The session of a request, with the token of its cookie. */
export interface PageSession extends SignedIn {
  readonly token: string;
}

declare const isOwner: unique symbol;

/** The session of the owner of an account. Only `requireOwner` makes one, so what asks for it cannot forget to check. */
export interface Owner extends PageSession {
  readonly [isOwner]: true;
}

/**
 * The session of a request, counted for the account's sessions. Throws `UNAUTHORIZED`, `ACCOUNT_SUSPENDED`, `FORBIDDEN` or
 * `RATE_LIMITED`.
 */
export async function requireSession(
  request: ApiRequest,
  env: GuardResources,
  { whileSuspended = false }: Pick<AdmissionOptions, "whileSuspended"> = {},
): Promise<PageSession> {
  const { sessionToken } = request;
  if (sessionToken === undefined) throw sessionEnded("missing");
  const found = await signedIn({ ...request, sessionToken }, env, { whileSuspended });
  await enforceSessionLimit(request, found.caller, env);
  return { ...found, token: sessionToken };
}

/**
 * The session of the account's owner. An API key, and a session that began with one, can do no more than the key: it neither
 * changes who owns the account nor ends its owner's sessions. Throws as `requireSession` does.
 */
export async function requireOwner(
  request: ApiRequest,
  env: GuardResources,
  options?: Pick<AdmissionOptions, "whileSuspended">,
): Promise<Owner> {
  if (request.sessionToken === undefined && presentsKey(request)) {
    await enforceRateLimit(request, await authenticateRequest(request, env), env);
    throw ownerOnly();
  }
  const session = await requireSession(request, env, options);
  if (session.session.api_key_hash !== null) throw ownerOnly();
  return session as Owner;
}

function presentsKey(request: ApiRequest): boolean {
  const credentials = readCredentials(request);
  return hasBearerHeader(credentials) || credentials.accessKeys.length > 0;
}

function ownerOnly(): ApiError {
  const message =
    "Only the owner of the account can do this. Sign in to the dashboard by e-mail or by the operator's link, not by an API key.";
  return new ApiError("FORBIDDEN", message);
}
