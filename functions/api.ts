// What callers read and queue: captures and their results, usage, the account, and events of webhook receivers. It writes no keys, sessions, or settings.
import * as account from "../lib/service/account/routes.ts";
import * as captureExports from "../lib/service/account-data/capture-export-routes.ts";
import * as bulk from "../lib/service/bulk/routes.ts";
import * as reports from "../lib/service/captures/report-routes.ts";
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import * as jobs from "../lib/service/jobs/routes.ts";
import * as receiverEvents from "../lib/service/receivers/event-routes.ts";
import * as results from "../lib/service/results/routes.ts";
import * as usage from "../lib/service/usage/routes.ts";

export const handler = serveRoutes(
  [account, bulk, captureExports, jobs, receiverEvents, reports, results, usage].flatMap((routes) =>
    Object.values(routes),
  ),
);
