// A route of the API as a value: what it takes, whom it serves, what it answers, and how it is described.
import type * as v from "valibot";
import type { Caller, Scope } from "../../accounts/account.ts";
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import type { describeOption } from "../../options/option-reference.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment, EnvironmentVariable } from "../../platform/environment.ts";
import type { HeaderName } from "../openapi/headers.ts";
import type { ResponseBody } from "../response-fields.ts";
import type { FunctionName, Method } from "../routes.ts";
import { type ApiRequest, queryOptions, rawOptions } from "./api-request.ts";
import { authorize, requestKey } from "./authorize.ts";
import { runIdempotent } from "./idempotency.ts";
import type { ApiResponse, StreamedResponse } from "./response.ts";

/** A successful response: its description, and the schemas that its JSON may have; none for a response without JSON. */
export interface RouteResponse {
  readonly description: string;
  readonly json?: readonly v.GenericSchema[];
  /** Headers beside those of every response. */
  readonly headers?: readonly HeaderName[];
}

type RouteResponses = Readonly<Record<number, RouteResponse>>;

/** What the JSON of any of these responses may be. */
type Json<Responses extends RouteResponses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly json: readonly (infer Schema)[] }
    ? Schema extends v.GenericSchema
      ? ResponseBody<Schema>
      : never
    : never;
}[keyof Responses];

/** The options of a route: the entries, by which they are documented, and their parser. */
export interface RouteOptions<Options> {
  readonly entries: Parameters<typeof describeOption>[0];
  /** Parses the options of a request that was received at `now`, in milliseconds since 1970. Throws `VALIDATION_ERROR`. */
  readonly parse: (rawOptions: unknown, now: number) => Options;
}

/** A request whose caller is authorized and whose options are parsed. */
export interface RouteCall<Options = unknown, Variable extends EnvironmentVariable = never> {
  readonly request: ApiRequest;
  readonly caller: Caller;
  readonly options: Options;
  readonly env: Pick<Environment, Variable | AccessVariable>;
}

/** What authorization and its rate limit read. */
const accessVariables = ["ACCOUNTS_TABLE", "USAGE_TABLE"] as const satisfies readonly EnvironmentVariable[];
type AccessVariable = (typeof accessVariables)[number];

/** What the OpenAPI document says of a route. */
export interface RouteDescription {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Parameters of the path, for all methods of the path. */
  readonly pathParameters?: readonly JsonSchema[];
  readonly responses: RouteResponses;
  /** Codes of errors beside those that follow from the access, the body, and the idempotency key. */
  readonly errors?: readonly ErrorCode[];
  /** The body, as a component of its name. Every route with options that is not read by GET has one. */
  readonly body?: { readonly name: string; readonly required?: readonly string[]; readonly examples: readonly object[] };
  /**
   * For a route that takes an `Idempotency-Key`: what is specific to it. `isSecret` encrypts the stored response under the API key
   * of the request.
   */
  readonly idempotency?: { readonly description: string; readonly isSecret?: boolean };
}

interface RouteDefinition<
  Options,
  Variable extends EnvironmentVariable,
  Responses extends RouteResponses,
> extends RouteDescription {
  readonly method: Method;
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  /** The Lambda function that answers. */
  readonly functionName: FunctionName;
  /** Scope that the API key of a caller needs. */
  readonly scope: Scope;
  /** Variables of the environment that the handler reads, beside those of the authorization. */
  readonly env?: readonly Variable[];
  /** Without options, any that is sent is refused. */
  readonly options?: RouteOptions<Options>;
  /** Throws for a caller that may not send these options. It comes before the idempotency key, so that its error is not stored. */
  readonly check?: (call: Pick<RouteCall<Options>, "caller" | "options">) => void;
  readonly responses: Responses;
  /** Imports the handler, so that a cold start loads what its request needs. */
  readonly handler: () => Promise<
    (
      call: RouteCall<Options, Variable>,
    ) => Promise<ApiResponse<NoInfer<Json<Responses>>>> | ApiResponse<NoInfer<Json<Responses>>>
  >;
}

/** A route, whatever the types of its options and responses. */
export interface RouteValue extends RouteDescription, Pick<RouteDefinition<never, never, never>, "method" | "path" | "functionName" | "scope"> {
  readonly variables: readonly EnvironmentVariable[];
  readonly entries?: RouteOptions<unknown>["entries"];
  /** Authorizes and parses a request, and answers it. Throws the `ApiError` of a request that is refused or fails. */
  readonly respond: (request: ApiRequest, env: Environment) => Promise<StreamedResponse<unknown>>;
}

/** Defines a route. A handler whose JSON differs from the schemas of its responses does not compile. */
export function route<
  Options = Record<never, never>,
  const Variable extends EnvironmentVariable = never,
  const Responses extends RouteResponses = RouteResponses,
>({
  options: taken,
  check,
  handler,
  env: variables = [],
  ...definition
}: RouteDefinition<Options, Variable, Responses>): RouteValue {
  const { method, scope, idempotency } = definition;
  return {
    ...definition,
    variables: [...accessVariables, ...variables],
    ...(taken && { entries: taken.entries }),
    async respond(request, env) {
      const [caller, handle] = await Promise.all([authorize(request, scope, env), handler()]);
      const sent = method === "GET" ? queryOptions(request) : rawOptions(request);
      const options = taken ? taken.parse(sent, request.receivedAt) : (parseNothing(sent), {} as Options);
      check?.({ caller, options });
      const run = async () => handle({ request, caller, options, env });
      if (!idempotency) return run();
      const encryption = idempotency.isSecret ? { encryptionKey: requestKey(request) } : {};
      return runIdempotent({ request, accountId: caller.account.id, rawOptions: sent, run, ...encryption }, env);
    },
  };
}
