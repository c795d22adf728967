// Handlers that are typed by their routes: one whose JSON differs from the response schema does not compile.
import type { RouteBody } from "../route-responses.ts";
import type { RouteName } from "../routes.ts";
import { apiHandler, type BufferedHandler, streamingApiHandler } from "./api-handler.ts";
import type { ApiRequest } from "./api-request.ts";
import type { ApiResponse, StreamedResponse } from "./response.ts";

type Handle<Response> = (request: ApiRequest) => Promise<Response> | Response;

/** The Lambda handler of these routes, whose response is one piece of at most 6 MB. Without a route it answers no JSON. */
export function routeHandler<Route extends RouteName = never>(
  handle: Handle<ApiResponse<NoInfer<RouteBody<Route>>>>,
): BufferedHandler {
  return apiHandler(handle);
}

/** The Lambda handler of these routes, whose response is streamed and at most 200 MB. */
export function streamingRouteHandler<Route extends RouteName = never>(
  handle: Handle<StreamedResponse<NoInfer<RouteBody<Route>>>>,
): unknown {
  return streamingApiHandler(handle);
}
