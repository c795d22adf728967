// Who may send requests to a route, and how a request is admitted.

import { parseNothing } from "../../contract/options/parse-options.ts";
import { type Scope, scopes } from "../account/account.ts";
import { type Operator, requireOperator } from "../operator/guard.ts";
import type { Environment, EnvironmentVariable } from "../platform/environment.ts";
import { type Owner, type PageSession, requireOwner, requireSession } from "../sessions/guard.ts";
import { type ApiRequest, allowsBody, type Origins, queryOptions, rawOptions } from "./api-request.ts";
import { type AdmissionOptions, type Authorized, authorizeCounted } from "./authorize.ts";
import { requireOwnPage } from "./own-origin.ts";

/**
 * Who may send requests to a route: everyone (`public`), callers with an API key of a scope or with a session, the service's own pages
 * (`page`), a signed-in browser (`session`), the owner of the account, whose session did not begin with an API key (`owner`), or an
 * operator of the service (`operator`), for whom alone the route exists. Every route that changes who owns an account, its settings, or its
 * sessions, or that hands out or deletes its data, is the owner's. `handler`: the handler decides.
 */
export type Access = "public" | Scope | "page" | "session" | "owner" | "operator" | "handler";

/** What the handler of a route gets to know of the caller. */
export type Grant<A extends Access> = A extends Scope
  ? Authorized
  : A extends "session"
    ? { readonly signedIn: PageSession }
    : A extends "owner"
      ? { readonly signedIn: Owner }
      : A extends "operator"
        ? { readonly operator: Operator }
        : object;

/** The variables of the environment that admitting a request reads. */
export type AccessVariable<A extends Access> = A extends "public" | "handler" | "page"
  ? never
  : A extends "operator"
    ? "ACCOUNTS_TABLE" | "BASE_URL"
    : "ACCOUNTS_TABLE" | "USAGE_TABLE";

export interface AccessGrant<A extends Access> {
  readonly variables: readonly EnvironmentVariable[];
  /** Admits a request. Throws `UNAUTHORIZED`, `ACCOUNT_SUSPENDED`, `FORBIDDEN`, `RATE_LIMITED`, or for an operator's route `NOT_FOUND`. */
  readonly admit: (request: ApiRequest, env: Environment, options?: AdmissionOptions) => Promise<Grant<A>>;
  /** Reads the options as they were sent. */
  readonly readOptions: (request: ApiRequest) => Readonly<Record<string, unknown>>;
}

const tables = ["ACCOUNTS_TABLE", "USAGE_TABLE"] as const satisfies readonly EnvironmentVariable[];

/** Everyone's requests, whose options the handler reads, or ignores. */
const open = { variables: [], admit: async () => ({}), readOptions: () => ({}) };

const byScope = (scope: Scope): AccessGrant<Scope> => ({
  variables: tables,
  admit: (request, env, options) => authorizeCounted(request, scope, env, options),
  readOptions: rawOptions,
});

const admissions: { readonly [A in Exclude<Access, Scope>]: AccessGrant<A> } = {
  public: open,
  handler: open,
  page: {
    variables: [],
    async admit(request) {
      requireOwnPage(request);
      return {};
    },
    readOptions: bodyOptions,
  },
  session: {
    variables: tables,
    admit: async (request, env, options) => ({ signedIn: await requireSession(request, env, options) }),
    readOptions: bodyOptions,
  },
  owner: {
    variables: tables,
    admit: async (request, env, options) => ({ signedIn: await requireOwner(request, env, options) }),
    readOptions: bodyOptions,
  },
  operator: {
    variables: ["ACCOUNTS_TABLE", "BASE_URL"],
    admit: async (request, env) => ({ operator: await requireOperator(request, env) }),
    readOptions: (request) => (allowsBody(request) ? bodyOptions(request) : queryOptions(request)),
  },
};

/** How requests to a route of this access are admitted. */
export function admissionFor<A extends Access>(access: A): AccessGrant<A> {
  const admission = isScope(access) ? byScope(access) : admissions[access as Exclude<Access, Scope>];
  return admission as AccessGrant<A>;
}

/**
 * The origins that may send requests to a route of this access, unless the route says otherwise: every one where the API key is in the
 * request, and where nothing is needed. An operator's route refuses other sites itself, once it knows the session: without one, it answers
 * as a path that doesn't exist, which any may ask for.
 */
export function originsFor(access: Access): Origins {
  return access === "public" || access === "operator" || isScope(access) ? "any" : "own";
}

function isScope(access: Access): access is Scope {
  return (scopes as readonly Access[]).includes(access);
}

/** The options in the body. Secrets in a query would get into logs, so one that has any is refused. */
function bodyOptions(request: ApiRequest): Record<string, unknown> {
  parseNothing(queryOptions(request));
  return rawOptions(request);
}
