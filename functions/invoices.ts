// GET|HEAD /api/v1/account/invoices: the cost of each billing period, newest first.
import { listInvoices } from "../lib/api/account/routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";

export const handler = await serveRoutes([listInvoices]);
