// A route of the API as a value: whom it serves, what it takes, what it answers, and how the OpenAPI document describes it.
import type * as v from "valibot";
import type { Scope } from "../../accounts/account.ts";
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment, EnvironmentVariable } from "../../platform/environment.ts";
import type { HeaderName } from "../openapi/headers.ts";
import type { ResponseBody } from "../response-fields.ts";
import type { CodeSample } from "../samples/code-samples.ts";
import type { ApiRequest } from "./api-request.ts";
import type { StreamedResponse } from "./response.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The files in `functions/` that answer routes. */
export type FunctionName =
  | "account"
  | "account-data"
  | "account-settings"
  | "bulk"
  | "health"
  | "invoice-pdf"
  | "invoices"
  | "job"
  | "jobs"
  | "key"
  | "key-rotation"
  | "keys"
  | "mcp"
  | "openapi"
  | "redelivery"
  | "screenshot"
  | "session"
  | "sign-in"
  | "storage"
  | "unmatched"
  | "usage"
  | "usage-breakdown"
  | "usage-details"
  | "usage-export"
  | "usage-search"
  | "usage-stats"
  | "web"
  | "webhook-test";

/** What API Gateway and the deployment need to know of a route. */
export interface Endpoint {
  /** GET answers HEAD, too (RFC 9110, section 9.1). */
  readonly method: Method;
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  /** The Lambda function that answers. */
  readonly functionName: FunctionName;
  /**
   * True for a streamed response, which may exceed the 6 MB and 29 s of a buffered one, and is compressed if it is text. Routes that
   * answer with API keys or signing secrets don't stream.
   */
  readonly streams?: boolean;
  /** How long the response may take, in seconds. A request that takes longer ends with `INTERNAL_ERROR`. @default 15 */
  readonly deadlineSeconds?: number;
}

/** The deadline of most routes, in seconds. */
export const DEFAULT_DEADLINE_S = 15;

/**
 * Whose requests a route serves: everyone's (`public`), those with an API key of a scope, those of the service's own pages (`page`), of
 * a signed-in browser (`session`), or of the account's owner, whose session did not begin with an API key (`owner`). Every route
 * that changes who owns an account, its settings, or its sessions, or that hands out or deletes its data, is the owner's. `handler`:
 * the handler decides.
 */
export type Access = "public" | Scope | "page" | "session" | "owner" | "handler";

/** A successful response: its description, and the schemas that its JSON may have; none for a response without JSON. */
export interface RouteResponse {
  readonly description: string;
  readonly json?: readonly v.GenericSchema[];
  /** Schemas of content other than JSON, by media type; `result` stands for every format of a capture. */
  readonly content?: Readonly<Record<string, JsonSchema>> | "result";
  /** Headers beside those of every response. */
  readonly headers?: readonly HeaderName[];
}

export type RouteResponses = Readonly<Record<number, RouteResponse>>;

/** What the JSON of any of these responses may be. */
export type RouteBody<Responses extends RouteResponses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly json: readonly (infer Schema)[] }
    ? Schema extends v.GenericSchema
      ? ResponseBody<Schema>
      : never
    : never;
}[keyof Responses];

/** The schema of each option, by its name. */
export type OptionEntries = Readonly<Record<string, v.GenericSchema>>;

/** The options of a route: the entries, by which they are documented, and their parser. */
export interface RouteOptions<Options> {
  readonly entries: OptionEntries;
  /** Parses the options of a request that was received at `now`, in milliseconds since 1970. Throws `VALIDATION_ERROR`. */
  readonly parse: (rawOptions: unknown, now: number) => Options;
}

/** What the OpenAPI document, the documentation, and the typed client say of a route. */
export interface Operation {
  readonly id: string;
  readonly tag: "Captures" | "Results" | "Usage" | "Account" | "Keys" | "Service";
  readonly summary: string;
  readonly description?: string;
  /** The path in the document, where it has other variables than the route. */
  readonly path?: string;
  /** Parameters for all methods of the path. */
  readonly pathParameters?: readonly JsonSchema[];
  /** Parameters beside those of the path, the options, and the idempotency key. */
  readonly parameters?: readonly JsonSchema[];
  /** The security requirement of a route whose handler decides about access. */
  readonly security?: readonly JsonSchema[];
  /** Codes of errors beside those that follow from the access, the body, and the idempotency key. */
  readonly errors?: readonly ErrorCode[];
  /** The type of the query in the typed client. Every route has one that is read by GET and has options. */
  readonly queryType?: string;
  readonly body?: RequestBody;
  /** Samples of a request to the service at `baseUrl`. */
  readonly samples?: (baseUrl: string) => readonly CodeSample[];
}

/** The body of a request, as a component of its name. Every route with options that is not read by GET has one. */
export interface RequestBody {
  readonly name: string;
  readonly required?: readonly string[];
  /** Without examples, the component is defined elsewhere. */
  readonly examples?: readonly object[];
  /** True if the options can be sent as JSON only, and not as a form. */
  readonly isJsonOnly?: boolean;
}

/** What is specific to a route that takes an `Idempotency-Key`. */
export interface Idempotency {
  readonly description: string;
  /** True to encrypt the stored response under the API key of the request. */
  readonly isSecret?: boolean;
  /** True if the handler runs the request once by itself. */
  readonly isOwn?: boolean;
}

/** A route: what is known of it, and the function that answers its requests. */
export interface Route extends Endpoint {
  readonly access: Access;
  readonly deadlineSeconds: number;
  readonly idempotency?: Idempotency;
  readonly responses: RouteResponses;
  /** Undefined for a route that has no part in the OpenAPI document. */
  readonly operation?: Operation;
  /** The options, as they are documented. */
  readonly entries?: OptionEntries;
  /** The variables of the environment that it reads. */
  readonly variables: readonly EnvironmentVariable[];
  /** Authorizes and parses a request, and answers it. Throws the `ApiError` of a request that is refused or fails. */
  readonly respond: (request: ApiRequest, env: Environment) => Promise<StreamedResponse<unknown>>;
}

/** A route of the OpenAPI document. */
export interface DocumentedRoute extends Route {
  readonly operation: Operation;
}

/** A request whose access is granted and whose options are parsed. */
export interface RouteCall<Options = unknown, Variable extends EnvironmentVariable = never> {
  readonly request: ApiRequest;
  readonly options: Options;
  readonly env: Pick<Environment, Variable>;
}

/** The definition of a route. `Grant` is what granting access yields for the handler, such as the caller. */
export interface RouteDefinition<
  Grant,
  Options,
  Variable extends EnvironmentVariable,
  Responses extends RouteResponses,
> extends Endpoint {
  readonly access: Access;
  readonly operation?: Operation;
  readonly idempotency?: Idempotency;
  /** The variables of the environment that the handler reads. */
  readonly env?: readonly Variable[];
  /** Without options, any that is sent is refused. */
  readonly options?: RouteOptions<Options>;
  /** Throws for a caller that may not send these options. It comes before the idempotency key, so that its error is not stored. */
  readonly check?: (call: Grant & { readonly options: Options }) => void;
  readonly responses: Responses;
  /** Imports the handler, so that a cold start loads what its request needs. */
  readonly handler: () => Promise<
    (
      call: Grant & RouteCall<Options, Variable>,
    ) =>
      | Promise<StreamedResponse<NoInfer<RouteBody<Responses>>>>
      | StreamedResponse<NoInfer<RouteBody<Responses>>>
  >;
}

/** How a kind of route lets requests in and runs them. */
export interface RouteKind<Grant> {
  /** The variables of the environment that it reads by itself. */
  readonly variables?: readonly EnvironmentVariable[];
  /** Grants access. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`. */
  readonly admit: (request: ApiRequest, env: Environment) => Promise<Grant> | Grant;
  /** Reads the options as they were sent. Without it, the handler does. */
  readonly readOptions?: (request: ApiRequest) => Readonly<Record<string, unknown>>;
  /** Runs a request. By default, it just does. */
  readonly run?:
    | ((
        call: Grant & { readonly request: ApiRequest; readonly rawOptions: Readonly<Record<string, unknown>> },
        answer: () => Promise<StreamedResponse<unknown>>,
        env: Environment,
      ) => Promise<StreamedResponse<unknown>>)
    | undefined;
}

/** Creates a route of a kind. A handler whose JSON differs from the schemas of its responses does not compile. */
export function createRoute<
  Grant extends object,
  Options,
  Variable extends EnvironmentVariable,
  Responses extends RouteResponses,
>(
  { options: taken, check, handler, env: variables = [], ...definition }: RouteDefinition<Grant, Options, Variable, Responses>,
  { variables: ownVariables = [], admit, readOptions, run = (_, answer) => answer() }: RouteKind<Grant>,
): Route {
  return {
    deadlineSeconds: DEFAULT_DEADLINE_S,
    ...definition,
    variables: [...ownVariables, ...variables],
    ...(taken && { entries: taken.entries }),
    async respond(request, env) {
      const [grant, handle] = await Promise.all([admit(request, env), handler()]);
      const rawOptions = readOptions?.(request) ?? {};
      const options = taken ? taken.parse(rawOptions, request.receivedAt) : (parseNothing(rawOptions), {} as Options);
      check?.({ ...grant, options });
      return run({ ...grant, request, rawOptions }, async () => handle({ ...grant, request, options, env }), env);
    },
  };
}
