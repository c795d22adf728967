// The routes of all data of an account: its export and its deletion. Both can take minutes.

import { defineRoute } from "../http/define-route.ts";
import { DeletedAccount } from "../sessions/responses.ts";
import { deletionEntries, parseDeletion } from "./account-data-options.ts";

const handlers = () => import("./serve-account-data.ts");

const ofOwner = {
  functionName: "identity",
  access: "owner",
  deadlineSeconds: 14 * 60,
  env: ["ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL"],
} as const;

export const exportAccountDataRoute = defineRoute({
  ...ofOwner,
  method: "GET",
  path: "/session/account/export",
  responses: { 200: { description: "All data of the account, as one JSON object a line." } },
  handler: async () => (await handlers()).exportData,
});

export const deleteAccountRoute = defineRoute({
  ...ofOwner,
  method: "DELETE",
  path: "/session/account",
  options: { entries: deletionEntries, parse: parseDeletion },
  responses: { 200: { description: "What was deleted.", json: [DeletedAccount] } },
  handler: async () => (await handlers()).removeAccount,
});
