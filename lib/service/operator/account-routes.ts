// The routes by which an operator sees and changes accounts.
import { parseSuspension, suspensionEntries } from "../account/suspension.ts";
import { defineRoute } from "../http/define-route.ts";
import {
  changeLimitsEntries,
  changePlanEntries,
  listAccountsEntries,
  listCapturesEntries,
  parseChangeLimits,
  parseChangePlan,
  parseListAccounts,
  parseListCaptures,
  parseReason,
  reasonEntries,
} from "./account-options.ts";
import { AccountRows, OperatedAccount, OperatedCaptures } from "./account-responses.ts";
import { accountVariables } from "./describe-account.ts";

const accountHandlers = () => import("./serve-accounts.ts");
const captureHandlers = () => import("./serve-captures.ts");

const operator = { functionName: "operator", access: "operator" } as const;
const change = { ...operator, method: "POST", env: [...accountVariables, "ACTIVITY_TABLE"] } as const;
const suspension = { ...change, env: [...change.env, "WEBHOOK_QUEUE_URL"] } as const;
const logVariables = ["ACTIVITY_TABLE", "USAGE_RETENTION_DAYS"] as const;

const changedAccount = { 200: { description: "The account as it is now.", json: [OperatedAccount] } };
const reasonOptions = { entries: reasonEntries, parse: parseReason };

export const listOperatedAccountsRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/accounts",
  env: ["USAGE_TABLE"],
  options: { entries: listAccountsEntries, parse: parseListAccounts },
  responses: { 200: { description: "A page of the accounts.", json: [AccountRows] } },
  handler: async () => (await accountHandlers()).listAccounts,
});

export const getOperatedAccountRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/accounts/{id}",
  env: accountVariables,
  responses: { 200: { description: "The account.", json: [OperatedAccount] } },
  handler: async () => (await accountHandlers()).getAccount,
});

export const listOperatedCapturesRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/accounts/{id}/captures",
  env: logVariables,
  options: { entries: listCapturesEntries, parse: parseListCaptures },
  responses: { 200: { description: "A page of the account's captures, newest first.", json: [OperatedCaptures] } },
  handler: async () => (await captureHandlers()).listAccountCaptures,
});

export const getOperatedPictureRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/accounts/{id}/captures/{capture}/picture",
  env: logVariables,
  responses: {
    200: { description: "The thumbnail.", content: { "image/webp": { type: "string", format: "binary" } } },
  },
  handler: async () => (await captureHandlers()).getPicture,
});

export const changeAccountPlanRoute = defineRoute({
  ...change,
  path: "/operator/api/accounts/{id}/plan",
  options: { entries: changePlanEntries, parse: parseChangePlan },
  responses: changedAccount,
  handler: async () => (await accountHandlers()).changeAccountPlan,
});

export const suspendAccountRoute = defineRoute({
  ...suspension,
  path: "/operator/api/accounts/{id}/suspend",
  options: { entries: suspensionEntries, parse: parseSuspension },
  responses: changedAccount,
  handler: async () => (await accountHandlers()).suspend,
});

export const resumeAccountRoute = defineRoute({
  ...suspension,
  path: "/operator/api/accounts/{id}/resume",
  options: reasonOptions,
  responses: changedAccount,
  handler: async () => (await accountHandlers()).resume,
});

export const changeAccountLimitsRoute = defineRoute({
  ...change,
  path: "/operator/api/accounts/{id}/limits",
  options: { entries: changeLimitsEntries, parse: parseChangeLimits },
  responses: changedAccount,
  handler: async () => (await accountHandlers()).changeLimits,
});

export const sendSignInLinkRoute = defineRoute({
  ...change,
  path: "/operator/api/accounts/{id}/sign-in-link",
  options: reasonOptions,
  responses: { 202: { description: "The link is mailed to the owner." } },
  handler: async () => (await accountHandlers()).sendSignInLink,
});
