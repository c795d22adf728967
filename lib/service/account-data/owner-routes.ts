// The routes of all data of an account, for its owner alone: exports, and the deletion of the account. Both go on after the response.
import { defineRoute } from "../http/define-route.ts";
import { deletionEntries, parseDeletion } from "./deletion-options.ts";
import { AccountDeletion, DataExportResponse, DataExports } from "./responses.ts";

const exportHandlers = () => import("./serve-exports.ts");
const deletionHandlers = () => import("./serve-deletion.ts");

const EXPORTS = "/session/account/exports";

const ofOwner = { functionName: "identity", access: "owner", whileSuspended: true } as const;
const exportVariables = ["ACTIVITY_TABLE", "BASE_URL", "ACCOUNT_DATA_QUEUE_URL"] as const;

export const startAccountExportRoute = defineRoute({
  ...ofOwner,
  method: "POST",
  path: EXPORTS,
  env: exportVariables,
  responses: { 202: { description: "The export that was started, or is running.", json: [DataExportResponse] } },
  handler: async () => (await exportHandlers()).startAccountExport,
});

export const listAccountExportsRoute = defineRoute({
  ...ofOwner,
  method: "GET",
  path: EXPORTS,
  env: exportVariables,
  responses: { 200: { description: "The exports.", json: [DataExports] } },
  handler: async () => (await exportHandlers()).listAccountExports,
});

export const getAccountExportRoute = defineRoute({
  ...ofOwner,
  method: "GET",
  path: `${EXPORTS}/{id}`,
  env: exportVariables,
  responses: { 200: { description: "The export.", json: [DataExportResponse] } },
  handler: async () => (await exportHandlers()).getAccountExport,
});

export const startDeletionRoute = defineRoute({
  ...ofOwner,
  method: "DELETE",
  path: "/session/account",
  deadlineSeconds: 25, // for the keys, of which each is revoked
  env: ["BASE_URL", "ACCOUNT_DATA_QUEUE_URL"],
  options: { entries: deletionEntries, parse: parseDeletion },
  responses: { 202: { description: "The deletion that was started.", json: [AccountDeletion] } },
  handler: async () => (await deletionHandlers()).startDeletion,
});

/** The sessions of the account have ended: the id of the deletion, which can't be guessed, stands for one. */
export const getDeletionRoute = defineRoute({
  method: "GET",
  path: "/session/account/deletions/{id}",
  functionName: "identity",
  access: "page",
  env: ["ACCOUNTS_TABLE"],
  responses: { 200: { description: "How far the deletion is.", json: [AccountDeletion] } },
  handler: async () => (await deletionHandlers()).getDeletion,
});
