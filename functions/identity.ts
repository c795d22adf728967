// What proves and changes who a caller is: keys, sessions, sign-in, settings, and all data of an account.
import * as settings from "../lib/api/account/settings-routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import * as keys from "../lib/api/keys/routes.ts";
import * as accountData from "../lib/api/session/account-data-routes.ts";
import * as session from "../lib/api/session/routes.ts";

export const handler = serveRoutes([keys, session, accountData, settings].flatMap((routes) => Object.values(routes)));
