// The OpenAPI paths of routes: their operations, and the components of their bodies.
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import type { RouteValue } from "../http/route.ts";
import { bodyErrors, errorResponses } from "./error-responses.ts";
import { type HeaderName, headerRefs, standardHeaders } from "./headers.ts";
import { idempotencyKeyParameter } from "./idempotency-parameter.ts";
import { bodyProperties, queryParameters } from "./option-schemas.ts";
import { responseRef } from "./response-schemas.ts";

/** The path items of routes, by path. */
export function routePaths(routes: readonly RouteValue[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      {
        ...(group[0]?.pathParameters && { parameters: group[0].pathParameters }),
        ...Object.fromEntries(group.map((each) => [each.method.toLowerCase(), operation(each)])),
      },
    ]),
  );
}

/** The schemas of the bodies of routes, by the names of their components. */
export function bodySchemas(routes: readonly RouteValue[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    routes.flatMap(({ body, entries = {} }) =>
      body
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

function operation(route: RouteValue): JsonSchema {
  const { operationId, tag, summary, description, body, entries } = route;
  const parameters = [
    ...(route.idempotency ? [idempotencyKeyParameter(route.idempotency.description)] : []),
    ...(entries && !body ? queryParameters(entries) : []),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: { ...successes(route), ...errorResponses(...errorCodes(route)) },
  };
}

function requestBody({ name, required }: NonNullable<RouteValue["body"]>): JsonSchema {
  const schema = { $ref: `#/components/schemas/${name}` };
  return {
    required: required !== undefined,
    content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
  };
}

function successes({ responses, idempotency }: RouteValue): Record<string, JsonSchema> {
  const replayed: readonly HeaderName[] = idempotency ? ["Idempotent-Replayed"] : [];
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, json: [schema] = [], headers = [] }]) => [
      status,
      {
        description,
        headers: headerRefs(...standardHeaders, ...replayed, ...headers),
        ...(schema && { content: { "application/json": { schema: responseRef(schema) } } }),
      },
    ]),
  );
}

/** The codes that follow from a route, and its own. */
function errorCodes({ method, errors = [], idempotency }: RouteValue): ErrorCode[] {
  return [
    "VALIDATION_ERROR",
    "UNAUTHORIZED",
    "FORBIDDEN",
    ...errors,
    ...(idempotency ? (["CONFLICT"] as const) : []),
    ...(method === "GET" ? [] : bodyErrors),
  ];
}
