// The routes of the account: its plan, usage, and limits, and the list of its invoices.
import { defineRoute } from "../http/define-route.ts";
import { AccountResponse, Invoices } from "./responses.ts";

const handlers = () => import("./serve-account.ts");

const tag = "Account";

export const getAccountRoute = defineRoute({
  method: "GET",
  path: "/api/v1/account",
  functionName: "api",
  access: "usage",
  env: ["MAX_CONCURRENT_CAPTURES"],
  operation: {
    id: "getAccount",
    tag,
    summary: "Get your plan, usage, costs, and limits",
    description:
      "Counts only captures that succeeded. Amounts are dollars as decimal text, to avoid rounding errors. Requires an API " +
      "key with the scope `usage`.",
  },
  responses: { 200: { description: "The account in its current billing period.", json: [AccountResponse] } },
  handler: async () => (await handlers()).getAccount,
});

export const listInvoicesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/account/invoices",
  functionName: "api",
  access: "usage",
  whileSuspended: true,
  operation: {
    id: "listInvoices",
    tag,
    summary: "List your invoices, newest first",
    description:
      "The first invoice is that of the current billing period, with its cost so far. A past period keeps its plan and " +
      "prices. Requires an API key with the scope `usage`.",
  },
  responses: { 200: { description: "All billing periods of the account.", json: [Invoices] } },
  handler: async () => (await handlers()).listInvoices,
});
