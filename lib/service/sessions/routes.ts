// The routes of sign-in, of sessions, and of the address of an account.
import { defineRoute } from "../http/define-route.ts";
import {
  addressEntries,
  codeEntries,
  currentCodeEntries,
  linkEntries,
  parseAddress,
  parseCode,
  parseCurrentCode,
  parseLinkOptions,
} from "./email-options.ts";
import {
  RestoredAddress,
  SessionStateResponse,
  Sessions,
  SignedOutResponse,
  SignInMethodsResponse,
} from "./responses.ts";
import { parseSignIn, signInEntries } from "./session-options.ts";

const sessionHandlers = () => import("./serve-session.ts");
const mailHandlers = () => import("./serve-sign-in.ts");

const env = ["ACCOUNTS_TABLE", "USAGE_TABLE", "BASE_URL"] as const;

const session = { path: "/session", functionName: "identity", env } as const;
const sessions = { path: "/sessions", functionName: "identity" } as const;

const byMail = { method: "POST", functionName: "identity", env } as const;

const currentSession = { description: "The session and its account.", json: [SessionStateResponse] };
const nothing = { description: "Done." };

export const signInRoute = defineRoute({
  ...session,
  method: "POST",
  access: "page",
  options: { entries: signInEntries, parse: parseSignIn },
  responses: { 201: currentSession },
  handler: async () => (await import("./sign-in.ts")).signIn,
});

export const getSessionRoute = defineRoute({
  ...session,
  method: "GET",
  access: "page",
  responses: { 200: { ...currentSession, json: [SessionStateResponse, SignedOutResponse] } },
  handler: async () => (await sessionHandlers()).getSession,
});

export const signOutRoute = defineRoute({
  ...session,
  method: "DELETE",
  access: "page",
  responses: { 204: nothing },
  handler: async () => (await sessionHandlers()).signOut,
});

export const listSessionsRoute = defineRoute({
  ...sessions,
  method: "GET",
  access: "session",
  responses: { 200: { description: "All sessions of the account.", json: [Sessions] } },
  handler: async () => (await sessionHandlers()).listAllSessions,
});

export const endOtherSessionsRoute = defineRoute({
  ...sessions,
  method: "DELETE",
  access: "owner",
  responses: { 204: nothing },
  handler: async () => (await sessionHandlers()).endAllOtherSessions,
});

export const endSessionRoute = defineRoute({
  path: "/sessions/{id}",
  functionName: "identity",
  method: "DELETE",
  access: "owner",
  responses: { 204: nothing },
  handler: async () => (await sessionHandlers()).endOneSession,
});

export const listSignInMethodsRoute = defineRoute({
  path: "/sign-in",
  functionName: "identity",
  method: "GET",
  access: "public",
  origins: "own",
  responses: { 200: { description: "Which ways to sign in are open to everyone.", json: [SignInMethodsResponse] } },
  handler: async () => (await sessionHandlers()).listSignInMethods,
});

export const sendSignInCodeRoute = defineRoute({
  ...byMail,
  path: "/sign-in/code",
  access: "page",
  options: { entries: addressEntries, parse: parseAddress },
  responses: { 202: nothing },
  handler: async () => (await mailHandlers()).askForCode,
});

export const signInByCodeRoute = defineRoute({
  ...byMail,
  path: "/sign-in/code/verify",
  access: "page",
  options: { entries: codeEntries, parse: parseCode },
  responses: { 201: currentSession },
  handler: async () => (await mailHandlers()).signInByCode,
});

export const sendCodeToCurrentAddressRoute = defineRoute({
  ...byMail,
  path: "/session/account/email/current",
  access: "owner",
  responses: { 202: nothing },
  handler: async () => (await mailHandlers()).sendCodeToCurrent,
});

export const proveCurrentAddressRoute = defineRoute({
  ...byMail,
  path: "/session/account/email/current/verify",
  access: "owner",
  options: { entries: currentCodeEntries, parse: parseCurrentCode },
  responses: { 204: nothing },
  handler: async () => (await mailHandlers()).proveCurrent,
});

export const sendCodeToNewAddressRoute = defineRoute({
  ...byMail,
  path: "/session/account/email",
  access: "owner",
  options: { entries: addressEntries, parse: parseAddress },
  responses: { 202: nothing },
  handler: async () => (await mailHandlers()).askForAddress,
});

export const changeAddressRoute = defineRoute({
  ...byMail,
  path: "/session/account/email/verify",
  access: "owner",
  options: { entries: codeEntries, parse: parseCode },
  responses: { 200: currentSession },
  handler: async () => (await mailHandlers()).verifyAddress,
});

export const undoAddressChangeRoute = defineRoute({
  ...byMail,
  path: "/session/account/email/undo",
  access: "page",
  options: { entries: linkEntries, parse: parseLinkOptions },
  responses: { 200: { description: "The address that the account has back.", json: [RestoredAddress] } },
  handler: async () => (await mailHandlers()).undoAddress,
});

export const reportSignInRoute = defineRoute({
  ...byMail,
  path: "/session/not-me",
  access: "page",
  options: { entries: linkEntries, parse: parseLinkOptions },
  responses: { 204: { description: "All sessions of the account have ended." } },
  handler: async () => (await mailHandlers()).reportUnknownSignIn,
});
