// The handler of the routes of the service itself, and of requests that no route matches.
import { serveRoutes } from "../http/serve-routes.ts";
import * as service from "./routes.ts";

export const serveService = serveRoutes(Object.values(service));
