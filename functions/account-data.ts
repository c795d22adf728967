// GET|HEAD /session/account/export and DELETE /session/account: exports and deletes all data of an account.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { deleteAccount, exportAccountData } from "../lib/api/session/account-data-routes.ts";

export const handler = await serveRoutes([exportAccountData, deleteAccount]);
