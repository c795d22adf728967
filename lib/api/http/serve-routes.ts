// The Lambda handler of routes: finds the route of a request, and has it answered.
import { environment } from "../../platform/environment.ts";
import { apiHandler, streamingApiHandler } from "./api-handler.ts";
import { requestMethods } from "./path-methods.ts";
import type { Route } from "./route.ts";

/**
 * Resolves to the Lambda handler of these routes when their code is loaded, which is while Lambda starts the function, with all of a
 * CPU. It streams all responses if any of its routes streams. Throws for a variable of the environment that is missing or wrong.
 */
export async function serveRoutes(routes: readonly Route[]): Promise<unknown> {
  const env = environment(...new Set(routes.flatMap(({ variables }) => variables)));
  const find = (method: string, resource: string) =>
    routes.find((route) => route.path === resource && requestMethods(route).some((each) => each === method));
  const createHandler = routes.some(({ streams }) => streams) ? streamingApiHandler : apiHandler;
  await Promise.all(routes.map(({ load }) => load()));
  return createHandler(
    (request) => {
      const route = find(request.method, request.resource);
      if (!route) throw new Error(`No route answers ${request.method} ${request.resource}.`);
      return route.respond(request, env);
    },
    { deadlineSeconds: ({ httpMethod, resource }) => find(httpMethod, resource)?.deadlineSeconds },
  );
}
