// The OpenAPI paths of routes: their operations, and the components of their bodies.
import type { ErrorCode } from "../../contract/errors/error-kinds.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import type { DocumentedRoute, RequestBody, RouteResponse } from "../http/route.ts";
import { contents } from "./contents.ts";
import { bodyErrors, errorResponses } from "./error-responses.ts";
import { type HeaderName, headerRefs, standardHeaders } from "./headers.ts";
import { idempotencyKeyParameter } from "./idempotency-parameter.ts";
import { bodyProperties, queryParameters } from "./option-schemas.ts";

/** The path items of routes, by path. `serverUrl` is the address in samples. */
export function routePaths(routes: readonly DocumentedRoute[], serverUrl: string): Record<string, JsonSchema> {
  const byPath = Map.groupBy(routes, ({ path, operation }) => operation.path ?? path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      {
        ...(group[0]?.operation.pathParameters && { parameters: group[0].operation.pathParameters }),
        ...Object.fromEntries(group.map((route) => [route.method.toLowerCase(), operationObject(route, serverUrl)])),
      },
    ]),
  );
}

/** The schemas of the bodies of routes, by the names of their components. */
export function bodySchemas(routes: readonly DocumentedRoute[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    routes.flatMap(({ operation: { body }, entries = {} }) =>
      body?.examples
        ? [
            [
              body.name,
              {
                type: "object",
                ...(body.required && { required: body.required }),
                properties: bodyProperties(entries),
                additionalProperties: false,
                examples: body.examples,
              },
            ],
          ]
        : [],
    ),
  );
}

function operationObject(route: DocumentedRoute, serverUrl: string): JsonSchema {
  const { operation, entries, idempotency, access } = route;
  const { id, tag, summary, description, body, samples, security = access === "public" ? [] : undefined } = operation;
  const parameters = [
    ...(idempotency ? [idempotencyKeyParameter(idempotency.description)] : []),
    ...(entries && !body ? queryParameters(entries) : []),
    ...(operation.parameters ?? []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: { ...successes(route), ...errorResponses(...errorCodes(route)) },
    // Read by Redoc, Scalar, and other renderers: https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples
    ...(samples && { "x-codeSamples": samples(serverUrl) }),
  };
}

function requestBody({
  name,
  required,
  isRequired = required !== undefined,
  isJsonOnly = false,
}: RequestBody): JsonSchema {
  const schema = { $ref: `#/components/schemas/${name}` };
  return {
    required: isRequired,
    content: {
      "application/json": { schema },
      ...(!isJsonOnly && { "application/x-www-form-urlencoded": { schema } }),
    },
  };
}

function successes({ responses, idempotency }: DocumentedRoute): Record<string, JsonSchema> {
  const replayed: readonly HeaderName[] = idempotency ? ["Idempotent-Replayed"] : [];
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, success(response, replayed)]),
  );
}

function success(response: RouteResponse, replayed: readonly HeaderName[]): JsonSchema {
  const { description, headers = [] } = response;
  const content = contents(response);
  return {
    description,
    headers: headerRefs(...standardHeaders, ...headers, ...replayed),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** The codes that follow from a route, and its own. */
function errorCodes({ method, access, operation: { errors = [] }, idempotency }: DocumentedRoute): ErrorCode[] {
  const isOpen = access === "public" || access === "handler";
  return [
    "VALIDATION_ERROR",
    ...(isOpen ? [] : (["UNAUTHORIZED", "FORBIDDEN"] as const)),
    ...errors,
    ...(idempotency ? (["CONFLICT"] as const) : []),
    ...(method === "GET" ? [] : bodyErrors),
  ];
}
