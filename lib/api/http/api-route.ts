// Routes of the API: their callers present an API key, or a session, with the scope of the route.
import type { Scope } from "../../accounts/account.ts";
import type { EnvironmentVariable } from "../../platform/environment.ts";
import { rawOptions } from "./api-request.ts";
import { type Authorized, authorizeCounted, requestKey } from "./authorize.ts";
import { runIdempotent } from "./idempotency.ts";
import { requireBuffered } from "./response.ts";
import {
  createRoute,
  type Idempotency,
  type Operation,
  type Route,
  type RouteCall,
  type RouteDefinition,
  type RouteKind,
  type RouteResponses,
} from "./route.ts";

const accessVariables = ["ACCOUNTS_TABLE", "USAGE_TABLE"] as const satisfies readonly EnvironmentVariable[];
type AccessVariable = (typeof accessVariables)[number];

/** A request of an authorized caller, whose options are parsed. */
export type ApiCall<Options = unknown, Variable extends EnvironmentVariable = never> = Authorized &
  RouteCall<Options, Variable | AccessVariable>;

/** Defines a route of the API. */
export function apiRoute<
  Options = Record<never, never>,
  const Variable extends EnvironmentVariable = never,
  const Responses extends RouteResponses = RouteResponses,
>(
  definition: RouteDefinition<Authorized, Options, Variable | AccessVariable, Responses> & {
    readonly access: Scope;
    readonly env?: readonly Variable[];
    readonly operation: Operation;
  },
): Route {
  const { access, idempotency } = definition;
  return createRoute<Authorized, Options, Variable | AccessVariable, Responses>(definition, {
    variables: [...accessVariables, ...(idempotency ? (["ACTIVITY_TABLE"] as const) : [])],
    admit: (request, env) => authorizeCounted(request, access, env),
    readOptions: rawOptions,
    ...(idempotency && !idempotency.isOwn && { run: runOnceByKey(idempotency) }),
  });
}

/** Runs a request once for its `Idempotency-Key`. */
const runOnceByKey =
  ({ isSecret = false }: Idempotency): RouteKind<Authorized>["run"] =>
  ({ request, caller, rawOptions: sent }, answer, env) => {
    const encryption = isSecret ? { encryptionKey: requestKey(request) } : {};
    const run = async () => requireBuffered(await answer());
    return runIdempotent({ request, accountId: caller.account.id, rawOptions: sent, run, ...encryption }, env);
  };
