// The Lambda handler of routes: finds the route of a request, and has it answered.
import { environment } from "../../platform/environment.ts";
import { apiHandler, type BufferedHandler } from "./api-handler.ts";
import type { RouteValue } from "./route.ts";

/** Answers requests of these routes. Throws at start for a variable of the environment that is missing or wrong. */
export function serveRoutes(...routes: readonly RouteValue[]): BufferedHandler {
  const env = environment(...new Set(routes.flatMap(({ variables }) => variables)));
  const byName = new Map(routes.map((each) => [`${each.method} ${each.path}`, each]));
  return apiHandler((request) => {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const found = byName.get(`${method} ${request.resource}`);
    if (!found) throw new Error(`No route answers ${method} ${request.resource}.`);
    return found.respond(request, env);
  });
}
