// Applies what the operator's payment provider reports: plans of accounts, and payments of their invoices.
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import * as payments from "../lib/service/payments/routes.ts";

export const handler = serveRoutes(Object.values(payments));
