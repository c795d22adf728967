// What proves and changes who a caller is, and holds secrets: keys, webhook receivers, sessions, sign-in, settings, and what starts an export of all data of an account, or its deletion.

import * as plan from "../lib/service/account/plan-routes.ts";
import * as settings from "../lib/service/account/settings-routes.ts";
import * as accountData from "../lib/service/account-data/owner-routes.ts";
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import * as keys from "../lib/service/keys/routes.ts";
import * as receivers from "../lib/service/receivers/routes.ts";
import * as session from "../lib/service/sessions/routes.ts";

export const handler = serveRoutes(
  [keys, receivers, session, accountData, settings, plan].flatMap((routes) => Object.values(routes)),
);
