// Defines a route: admits its requests, parses their options, and calls its handler, once for each idempotency key.

import { parseNothing } from "../../contract/options/parse-options.ts";
import type { Scope } from "../account/account.ts";
import type { SessionLimit } from "../account/rate-limit.ts";
import type { Environment, EnvironmentVariable } from "../platform/environment.ts";
import { type Access, type AccessVariable, admissionFor, type Grant, originsFor } from "./access.ts";
import { type ApiRequest, type Origins, rawOptions as readAllOptions } from "./api-request.ts";
import { type Authorized, requestKey } from "./authorize.ts";
import { runIdempotent } from "./idempotency.ts";
import { refuseOtherSites } from "./own-origin.ts";
import { requireBuffered, type StreamedResponse } from "./response.ts";
import type { Endpoint, Idempotency, Operation, OptionEntries, Route, RouteBody, RouteResponses } from "./route.ts";

/** The deadline of most routes, in seconds. */
const DEFAULT_DEADLINE_S = 15;

/** A request that was admitted and whose options are parsed, as the handler of its route gets it. */
export type RouteCall<A extends Access, Options = unknown, Variable extends EnvironmentVariable = never> = Grant<A> & {
  readonly request: ApiRequest;
  readonly options: Options;
  /** The options as they were sent. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly env: Pick<Environment, Variable | AccessVariable<A>>;
};

/** The options of a route. */
export interface RouteOptions<Options> {
  /** The schemas by which they are documented. */
  readonly entries: OptionEntries;
  /**
   * Parses the options of a request that was received at `now`, in milliseconds since 1970. Throws `VALIDATION_ERROR`. Without it, the
   * handler parses them.
   */
  readonly parse?: (rawOptions: unknown, now: number) => Options | Promise<Options>;
}

/** The definition of a route. */
export interface RouteDefinition<
  A extends Access,
  Options,
  Variable extends EnvironmentVariable,
  Responses extends RouteResponses,
> extends Endpoint {
  readonly access: A;
  /** @default any for a route with a scope and for a public one, own for any other */
  readonly origins?: Origins;
  readonly operation?: Operation;
  /** The limit of sessions that its requests count against. @default requests */
  readonly sessionLimit?: A extends Scope ? SessionLimit : never;
  /** True for what the owner of a suspended account may still request. @default false */
  readonly whileSuspended?: A extends Scope | "session" | "owner" ? true : never;
  /** For a POST with an API key of a scope, or with a handler that runs the request once by itself. */
  readonly idempotency?: A extends Scope | "handler" ? Idempotency : never;
  /** The variables of the environment that the handler reads. */
  readonly env?: readonly Variable[];
  /** Without options, any that is sent is refused. */
  readonly options?: RouteOptions<Options>;
  /** True if the options of a route for the service's pages can be sent in the query, too. */
  readonly takesQuery?: boolean;
  /** Throws for a caller that may not send these options. It comes before the idempotency key, so that its error is not stored. */
  readonly check?: (call: Grant<A> & { readonly options: Options }) => void | Promise<void>;
  readonly responses: Responses;
  /** Imports the handler, so that a list of routes can be read without their code. */
  readonly handler: () => Promise<
    (
      call: RouteCall<NoInfer<A>, Options, NoInfer<Variable>>,
    ) => Promise<StreamedResponse<NoInfer<RouteBody<Responses>>>> | StreamedResponse<NoInfer<RouteBody<Responses>>>
  >;
}

/** Defines a route. A handler whose JSON differs from the schemas of its responses, or that needs more than its access grants, does not compile. */
export function defineRoute<
  const A extends Access,
  Options = Record<never, never>,
  const Variable extends EnvironmentVariable = never,
  const Responses extends RouteResponses = RouteResponses,
>({
  options: taken,
  takesQuery = false,
  check,
  sessionLimit,
  whileSuspended,
  handler,
  env: variables = [],
  ...definition
}: RouteDefinition<A, Options, Variable, Responses>): Route {
  const { access, idempotency, origins = originsFor(access) } = definition;
  const admission = admissionFor(access);
  const admitting = {
    counted: (sessionLimit ?? "requests") as SessionLimit,
    whileSuspended: whileSuspended !== undefined,
  };
  const readOptions = takesQuery ? readAllOptions : admission.readOptions;
  return {
    deadlineSeconds: DEFAULT_DEADLINE_S,
    ...definition,
    origins,
    variables: [...admission.variables, ...variables, ...(idempotency ? (["ACTIVITY_TABLE"] as const) : [])],
    ...(taken && { entries: taken.entries }),
    async respond(request, env) {
      if (origins === "own") refuseOtherSites(request);
      const [grant, handle] = await Promise.all([admission.admit(request, env, admitting), handler()]);
      const rawOptions = readOptions(request);
      const options = await parse(taken, rawOptions, request.receivedAt);
      await check?.({ ...grant, options });
      const answer = async () => handle({ ...grant, request, options, rawOptions, env });
      if (!idempotency || idempotency.isOwn) return answer();
      return runOnceByKey(idempotency, { ...(grant as Authorized), request, rawOptions, env }, answer);
    },
  };
}

async function parse<Options>(
  taken: RouteOptions<Options> | undefined,
  rawOptions: unknown,
  now: number,
): Promise<Options> {
  if (taken?.parse) return taken.parse(rawOptions, now);
  if (!taken) parseNothing(rawOptions);
  return {} as Options;
}

/** Runs a request once for its `Idempotency-Key`. */
async function runOnceByKey(
  { isSecret = false }: Idempotency,
  { request, caller, rawOptions, env }: Omit<RouteCall<Scope, unknown, "ACTIVITY_TABLE">, "options">,
  answer: () => Promise<StreamedResponse<unknown>>,
): Promise<StreamedResponse<unknown>> {
  const encryption = isSecret ? { encryptionKey: requestKey(request) } : {};
  const run = async () => requireBuffered(await answer());
  return runIdempotent({ request, accountId: caller.account.id, rawOptions, run, ...encryption }, env);
}
