// A route of the API as a value: whom it serves, what it takes, what it answers, and how the OpenAPI document describes it.
import type * as v from "valibot";
import type { ErrorCode } from "../../contract/errors/error-kinds.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import type { DocumentedSample } from "../openapi/code-samples.ts";
import type { HeaderName } from "../openapi/headers.ts";
import type { Environment, EnvironmentVariable } from "../platform/environment.ts";
import type { Access } from "./access.ts";
import type { ApiRequest, Origins } from "./api-request.ts";
import type { StreamedResponse } from "./response.ts";
import type { ResponseBody } from "./response-fields.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The files in `functions/` that answer routes: those that run Chromium, and for the others one for each set of rights. */
export type FunctionName =
  | "screenshot"
  | "invoice-pdf"
  | "try"
  | "api"
  | "identity"
  | "web"
  | "mcp"
  | "operator"
  | "billing";

/** What API Gateway and the deployment need to know of a route. */
export interface Endpoint {
  /** GET answers HEAD, too (RFC 9110, section 9.1). */
  readonly method: Method;
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  /** The Lambda function that answers. */
  readonly functionName: FunctionName;
  /** The origins whose pages may send requests. @default any */
  readonly origins?: Origins;
  /** True for a response with API keys, signing secrets, or signatures, which is not compressed: see `compressResponse`. */
  readonly hasSecrets?: true;
  /** How long the response may take, in seconds. A request that takes longer ends with `INTERNAL_ERROR`. @default 15 */
  readonly deadlineSeconds?: number;
}

/** A successful response: its description, and the schemas that its JSON may have; none for a response without JSON. */
export interface RouteResponse {
  readonly description: string;
  readonly json?: readonly v.GenericSchema[];
  /** Schemas of content other than JSON, by media type; `result` stands for every format of a capture. */
  readonly content?: Readonly<Record<string, JsonSchema>> | "result";
  /** Headers in addition to those of every response. */
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

/** What the OpenAPI document, the documentation, and the typed client say of a route. */
export interface Operation {
  readonly id: string;
  readonly tag: "Captures" | "Results" | "Usage" | "Account" | "Keys" | "Webhooks" | "Service";
  readonly summary: string;
  readonly description?: string;
  /** The path in the document, where it has other variables than the route. */
  readonly path?: string;
  /** Parameters for all methods of the path. */
  readonly pathParameters?: readonly JsonSchema[];
  /** Parameters in addition to those of the path, the options, and the idempotency key. */
  readonly parameters?: readonly JsonSchema[];
  /** The security requirement of a route whose handler decides about access. */
  readonly security?: readonly JsonSchema[];
  /** Codes of errors in addition to those that follow from the access, the body, and the idempotency key. */
  readonly errors?: readonly ErrorCode[];
  /** The type of the query in the typed client. Every route has one that is read by GET and has options. */
  readonly queryType?: string;
  readonly body?: RequestBody;
  /** Samples of a request to the service at `baseUrl`. */
  readonly samples?: (baseUrl: string) => readonly DocumentedSample[];
}

/** The body of a request, as a component of its name. Every route with options that is not read by GET has one. */
export interface RequestBody {
  readonly name: string;
  /** The options that must be sent. */
  readonly required?: readonly string[];
  /** True if a request needs a body. @default whether options must be sent */
  readonly isRequired?: boolean;
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
  readonly origins: Origins;
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
