// The routes of the operator's function: signing in, and what the operator's pages show and change. All but those of signing in answer
// every request without an operator's session as if nothing existed at their paths, and are in no list of paths that other functions have.
import { defineRoute } from "../http/define-route.ts";
import {
  addressEntries,
  codeEntries,
  linkEntries,
  parseAddress,
  parseCode,
  parseLinkOptions,
} from "../sessions/email-options.ts";
import { auditEntries, parseAudit } from "./operator-options.ts";
import { AuditPage, OperatorSessionResponse, OperatorSignInMethods } from "./responses.ts";

const sessionHandlers = () => import("./serve-session.ts");
const auditHandlers = () => import("./serve-audit.ts");

const operator = { functionName: "operator", access: "operator" } as const;
const signIn = {
  method: "POST",
  functionName: "operator",
  access: "page",
  env: ["ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL"],
} as const;

const currentSession = { description: "The session of the operator.", json: [OperatorSessionResponse] };
const nothing = { description: "Done." };

export const listOperatorSignInMethodsRoute = defineRoute({
  method: "GET",
  path: "/operator/api/sign-in",
  functionName: "operator",
  access: "page",
  responses: { 200: { description: "Whether codes are sent by e-mail.", json: [OperatorSignInMethods] } },
  handler: async () => (await sessionHandlers()).listOperatorSignInMethods,
});

export const sendOperatorCodeRoute = defineRoute({
  ...signIn,
  path: "/operator/api/sign-in/code",
  options: { entries: addressEntries, parse: parseAddress },
  responses: { 202: nothing },
  handler: async () => (await sessionHandlers()).askForOperatorCode,
});

export const signInOperatorByCodeRoute = defineRoute({
  ...signIn,
  path: "/operator/api/sign-in/code/verify",
  options: { entries: codeEntries, parse: parseCode },
  responses: { 201: currentSession },
  handler: async () => (await sessionHandlers()).signInOperatorByCode,
});

export const signInOperatorByLinkRoute = defineRoute({
  ...signIn,
  path: "/operator/api/sign-in/link",
  options: { entries: linkEntries, parse: parseLinkOptions },
  responses: { 201: currentSession },
  handler: async () => (await sessionHandlers()).signInOperatorByLink,
});

export const getOperatorSessionRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/session",
  responses: { 200: currentSession },
  handler: async () => (await sessionHandlers()).getOperatorSession,
});

export const signOutOperatorRoute = defineRoute({
  ...operator,
  method: "DELETE",
  path: "/operator/api/session",
  responses: { 204: nothing },
  handler: async () => (await sessionHandlers()).signOutOperator,
});

export const listAuditRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/audit",
  env: ["ACTIVITY_TABLE"],
  options: { entries: auditEntries, parse: parseAudit },
  responses: { 200: { description: "A page of the audit log, newest first.", json: [AuditPage] } },
  handler: async () => (await auditHandlers()).listAudit,
});

export const exportAuditRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/audit/export",
  env: ["ACTIVITY_TABLE"],
  deadlineSeconds: 60,
  responses: {
    200: { description: "The audit log, newest first.", content: { "application/x-ndjson": { type: "string" } } },
  },
  handler: async () => (await auditHandlers()).exportAudit,
});
