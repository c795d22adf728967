// The routes of the account: its plan and usage, its settings, and the list of its invoices.
import { defineRoute } from "../http/define-route.ts";
import { accountChangeEntries, parseAccountChanges } from "./account-options.ts";
import { Account, AccountSettings, Invoices } from "./responses.ts";

const handlers = () => import("./serve-account.ts");

const tag = "Account";

const settings = { path: "/api/v1/account/settings", functionName: "account-settings" } as const;

export const getAccount = defineRoute({
  method: "GET",
  path: "/api/v1/account",
  functionName: "account",
  access: "usage",
  operation: {
    id: "getAccount",
    tag,
    summary: "Get your plan, usage, and costs",
    description:
      "Counts only captures that succeeded. Amounts are dollars as decimal text, to avoid rounding errors. Requires an API " +
      "key with the scope `usage`.",
  },
  responses: { 200: { description: "The account in its current billing period.", json: [Account] } },
  handler: async () => (await handlers()).getAccount,
});

export const getAccountSettings = defineRoute({
  ...settings,
  method: "GET",
  access: "usage",
  operation: {
    id: "getAccountSettings",
    tag,
    summary: "Get the name of your account, the plan that you ask for, and whether you get alerts",
    description:
      "The owner of the account changes them in the dashboard; an API key can't. Requires an API key with the scope `usage`.",
  },
  responses: { 200: { description: "The settings.", json: [AccountSettings] } },
  handler: async () => (await handlers()).getAccountSettings,
});

export const changeAccountSettings = defineRoute({
  ...settings,
  method: "PATCH",
  access: "owner",
  takesQuery: true,
  options: { entries: accountChangeEntries, parse: parseAccountChanges },
  responses: { 200: { description: "The changed settings.", json: [AccountSettings] } },
  handler: async () => (await handlers()).changeAccountSettings,
});

export const listInvoices = defineRoute({
  method: "GET",
  path: "/api/v1/account/invoices",
  functionName: "invoices",
  access: "usage",
  streams: true,
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
