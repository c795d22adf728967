// GET|HEAD|PATCH /api/v1/account/settings: the name of the account, the plan that its owner asks for, and alerts.
import { changeAccountSettings, getAccountSettings } from "../lib/api/account/routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";

export const handler = await serveRoutes([getAccountSettings, changeAccountSettings]);
