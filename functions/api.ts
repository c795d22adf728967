// What callers read and queue: captures and their results, usage, and the account. It writes no keys, sessions, or settings.
import * as account from "../lib/api/account/routes.ts";
import * as bulk from "../lib/api/bulk/routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import * as jobs from "../lib/api/jobs/routes.ts";
import * as results from "../lib/api/results/routes.ts";
import * as usage from "../lib/api/usage/routes.ts";

export const handler = serveRoutes([account, bulk, jobs, results, usage].flatMap((routes) => Object.values(routes)));
