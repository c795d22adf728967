// What the operator sees and changes at `/operator`, in a stage that has operators.
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import * as operator from "../lib/service/operator/routes.ts";

export const handler = serveRoutes(Object.values(operator));
