// The one guard of the routes for the pages: it lets in whom the route table names, and hands the handler what it has proven.
import { hasBearerHeader } from "../../accounts/authenticate.ts";
import { ApiError } from "../../errors/api-error.ts";
import type { Environment } from "../../platform/environment.ts";
import { type SignedIn, sessionEnded } from "../../sessions/authenticate-session.ts";
import { type ApiRequest, readCredentials } from "../http/api-request.ts";
import { authenticateRequest, enforceRateLimit, enforceSessionLimit, signedIn } from "../http/authorize.ts";
import { type Access, type AccessTo, type PageRouteName, type PageRoutesOf, pageAccess } from "../routes.ts";

type GuardResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/** The session of a request, with the token of its cookie. */
export interface PageSession extends SignedIn {
  readonly token: string;
}

declare const isOwner: unique symbol;

/** The session of the owner of an account. Only `requireOwner` makes one, so what asks for it cannot forget to check. */
export interface Owner extends PageSession {
  readonly [isOwner]: true;
}

/** What the guard has proven of a request, by the access of its route. */
type Proven<A extends Access> = A extends "owner" ? Owner : A extends "session" ? PageSession : undefined;

type Handlers<Name extends PageRouteName, Env, Answer> = {
  readonly [Route in Name]: (request: ApiRequest, proven: Proven<AccessTo<Route>>, env: Env) => Promise<Answer>;
};

/**
 * Answers the routes for the pages that the function `By` has, each by its handler. A handler that asks for more than the route
 * table demands of its callers does not compile. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`.
 */
export function guardedRoutes<
  By extends "session" | "sign-in" | "account-data" | "account-settings",
  Env extends GuardResources,
  Answer,
>(handlers: Handlers<PageRoutesOf<By>, Env, Answer>): (request: ApiRequest, env: Env) => Promise<Answer> {
  const byName = new Map<string, (request: ApiRequest, proven: unknown, env: Env) => Promise<Answer>>(
    Object.entries(handlers),
  );
  return async (request, env) => {
    const name = `${request.method === "HEAD" ? "GET" : request.method} ${request.resource}`;
    const handle = byName.get(name);
    if (!handle) throw new Error(`No handler answers ${name}.`);
    return handle(request, await guards[pageAccess[name as PageRouteName]](request, env), env);
  };
}

const guards: Readonly<Record<Access, (request: ApiRequest, env: GuardResources) => Promise<unknown>>> = {
  anyone: async () => undefined,
  session: requireSession,
  owner: requireOwner,
};

/** The session of a request, counted for the account's sessions. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`. */
export async function requireSession(request: ApiRequest, env: GuardResources): Promise<PageSession> {
  const { sessionToken } = request;
  if (sessionToken === undefined) throw sessionEnded("missing");
  const found = await signedIn({ ...request, sessionToken }, env);
  await enforceSessionLimit(request, found.caller, env);
  return { ...found, token: sessionToken };
}

/**
 * The session of the account's owner. An API key, and a session that began with one, can do no more than the key: it neither
 * changes who owns the account nor ends its owner's sessions. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`.
 */
async function requireOwner(request: ApiRequest, env: GuardResources): Promise<Owner> {
  if (request.sessionToken === undefined && presentsKey(request)) {
    await enforceRateLimit(request, await authenticateRequest(request, env), env);
    throw ownerOnly();
  }
  const session = await requireSession(request, env);
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
