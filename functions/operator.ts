// What the operator sees and changes at `/operator`, in a stage that has operators.
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import * as accounts from "../lib/service/operator/account-routes.ts";
import * as events from "../lib/service/operator/event-routes.ts";
import * as operator from "../lib/service/operator/routes.ts";
import * as today from "../lib/service/operator/today-routes.ts";

export const handler = serveRoutes([operator, accounts, today, events].flatMap((each) => Object.values(each)));
