// The Lambda handler of routes: finds the route of a request, and has it answered.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { environment } from "../platform/environment.ts";
import { apiHandler, type StreamingHandler } from "./api-handler.ts";
import { crossOriginMethods, matchPath, type PathMethods, requestedPath, requestMethods } from "./path-templates.ts";
import type { Route } from "./route.ts";
import { answerUnmatched } from "./unmatched.ts";

/** The methods of all paths of the service, as JSON. Defined when a function is bundled, which must not load the routes of others. */
declare const KNOWN_PATHS: string;

/**
 * The Lambda handler of these routes, and of requests that no route of the service matches. A handler is imported for the first request of its route. Throws at start for a variable of the environment that is
 * missing or wrong.
 */
export function serveRoutes(unordered: readonly Route[]): StreamingHandler {
  const routes = unordered.toSorted((a, b) => (a.path < b.path ? -1 : 1)); // `{` comes after letters, so variables after fixed paths
  const env = environment(...new Set(routes.flatMap(({ variables }) => variables)));
  const find = (method: string, template: string) =>
    routes.find((route) => route.path === template && requestMethods(route).some((each) => each === method));
  const known = () => JSON.parse(KNOWN_PATHS) as PathMethods;
  return apiHandler(
    (request) => find(request.method, request.resource)?.respond(request, env) ?? answerUnmatched(request, known()),
    {
      originsOf: ({ httpMethod, resource, path }) =>
        find(httpMethod, resource)?.origins ?? (crossOriginMethods(path, known())?.length === 0 ? "own" : "any"),
      locate: (event) => locate(event, routes),
      deadlineSeconds: ({ httpMethod, resource }) => find(httpMethod, resource)?.deadlineSeconds,
      compresses: ({ method, resource }) => !find(method, resource)?.hasSecrets,
    },
  );
}

/** The event with the path template of its route and the variables in it: API Gateway knows a prefix alone, such as `/api/v1/{proxy+}`. */
function locate(event: APIGatewayProxyEvent, routes: readonly Route[]): APIGatewayProxyEvent {
  const path = requestedPath(event);
  for (const { path: template } of routes) {
    const pathParameters = matchPath(template, path);
    if (pathParameters) return { ...event, path, resource: template, pathParameters: { ...pathParameters } };
  }
  return { ...event, path };
}
