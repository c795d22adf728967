// The Lambda handler of routes: finds the route of a request, and has it answered.
import { environment } from "../../platform/environment.ts";
import { apiHandler, streamingApiHandler } from "./api-handler.ts";
import type { Route } from "./route.ts";

/**
 * The Lambda handler of these routes. It streams all responses if any of its routes streams. Throws at start for a variable of the
 * environment that is missing or wrong.
 */
export function serveRoutes(routes: readonly Route[]): unknown {
  const env = environment(...new Set(routes.flatMap(({ variables }) => variables)));
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const find = (method: string, resource: string) => byName.get(`${method === "HEAD" ? "GET" : method} ${resource}`);
  const createHandler = routes.some(({ streams }) => streams) ? streamingApiHandler : apiHandler;
  return createHandler(
    (request) => {
      const route = find(request.method, request.resource);
      if (!route) throw new Error(`No route answers ${request.method} ${request.resource}.`);
      return route.respond(request, env);
    },
    { deadlineSeconds: ({ httpMethod, resource }) => find(httpMethod, resource)?.deadlineSeconds },
  );
}
