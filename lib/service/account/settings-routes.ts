// The routes of the account's settings, which the owner changes.
import { defineRoute } from "../http/define-route.ts";
import { accountChangeEntries, parseAccountChanges } from "./account-options.ts";
import { AccountSettings } from "./responses.ts";

const handlers = () => import("./serve-account.ts");

const settings = { path: "/api/v1/account/settings", functionName: "identity" } as const;

export const getAccountSettingsRoute = defineRoute({
  ...settings,
  method: "GET",
  access: "usage",
  operation: {
    id: "getAccountSettings",
    tag: "Account",
    summary: "Get the name of your account, the plan that you ask for, your alerts, and whether thumbnails are stored",
    description:
      "The owner of the account changes them in the dashboard; an API key can't. Requires an API key with the scope `usage`.",
  },
  responses: { 200: { description: "The settings.", json: [AccountSettings] } },
  handler: async () => (await handlers()).getAccountSettings,
});

export const changeAccountSettingsRoute = defineRoute({
  ...settings,
  method: "PATCH",
  access: "owner",
  takesQuery: true,
  env: ["ACTIVITY_TABLE"],
  options: { entries: accountChangeEntries, parse: parseAccountChanges },
  responses: { 200: { description: "The changed settings.", json: [AccountSettings] } },
  handler: async () => (await handlers()).changeAccountSettings,
});
