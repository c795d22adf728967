// The successful responses of a route in the OpenAPI document, with the schemas of `routeResponses`.
import type { JsonSchema } from "../../options/option.ts";
import { routeResponses } from "../route-responses.ts";
import type { RouteName } from "../routes.ts";
import { type HeaderName, headerRefs, standardHeaders } from "./headers.ts";
import { responseRef } from "./response-schemas.ts";

type Statuses<Route extends RouteName> = keyof (typeof routeResponses)[Route];

/** The JSON responses of a route. Each of its statuses needs a description; `headerNames` come beside the standard ones. */
export function jsonResponses<Route extends RouteName>(
  route: Route,
  descriptions: Readonly<Record<Statuses<Route>, string>>,
  headerNames: readonly HeaderName[] = [],
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(routeResponses[route]).map(([status, schemas]) => {
      const [schema] = schemas;
      const response = {
        description: descriptions[Number(status) as Statuses<Route>],
        headers: headerRefs(...standardHeaders, ...headerNames),
        ...(schema && { content: { "application/json": { schema: responseRef(schema) } } }),
      };
      return [status, response];
    }),
  );
}
