// Signing in and up by e-mail, changing the address of an account, and undoing that.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { KeyRing } from "../account/account.ts";
import { findAccountByEmail, findTrial } from "../account/account-email.ts";
import { FurtherWriteFailed } from "../account/account-store.ts";
import { AddressTaken, changeAccountAddress, undoAccountAddressChange } from "../account/address-change.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import { openTrial, openWithoutTrial } from "../account/open-account.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { isDisposable, ownedDomain } from "../mail/addresses.ts";
import {
  changedAddressMail,
  currentAddressMail,
  newAddressMail,
  signInMail,
  undoneAddressMail,
} from "./address-mails.ts";
import { sessionEnded } from "./authenticate-session.ts";
import type { AddressOptions, CodeOptions, CurrentCodeOptions, LinkOptions } from "./email-options.ts";
import type { Owner } from "./guard.ts";
import { accountSubject } from "./known-browser.ts";
import { knownBrowserCookie } from "./known-browser-cookie.ts";
import { limitedNetwork, siteNetwork } from "./network-address.ts";
import { rememberBrowser } from "./new-browser.ts";
import type { RestoredAddress, SessionStateResponse } from "./responses.ts";
import { type CodeResources, requireCode, sendAfterAnswer, sendCode, wrongCode } from "./send-code.ts";
import type { SessionAccount } from "./session.ts";
import { openSignInMethods, sessionState } from "./session-state.ts";
import {
  deleteOtherSessions,
  endAllSessions,
  findSessionAccount,
  hasProvenAddress,
  storeAddressProof,
} from "./session-store.ts";
import { type AttemptLimit, countAttempt, limitFailures } from "./sign-in-attempts.ts";
import { reportSignIn } from "./sign-in-reports.ts";
import { startSession } from "./start-session.ts";

type SessionResponse = ApiResponse<ResponseBody<typeof SessionStateResponse>>;

type VisitorCall<Options> = RouteCall<"page", Options, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;
type OwnerCall<Options = unknown> = RouteCall<"owner", Options, "BASE_URL">;

const SIGN_IN = "sign-in";

/** Sends a code to an address that has an account or may get one. */
export async function askForCode({
  request,
  options: { email },
  env,
}: VisitorCall<AddressOptions>): Promise<ApiResponse<never>> {
  const isWanted = async () =>
    openSignInMethods().sign_up || (await findAccountByEmail(env.ACCOUNTS_TABLE, email)) !== undefined;
  return sendCode(request, { purpose: SIGN_IN, email, isWanted, mail: signInMail }, env);
}

/** Signs in, or opens a trial where sign-up is open. */
export async function signInByCode({
  request,
  options: { email, code },
  env,
}: VisitorCall<CodeOptions>): Promise<SessionResponse> {
  await requireCode(request, { purpose: SIGN_IN, email, code }, env);
  const known = await findAccountByEmail(env.ACCOUNTS_TABLE, email);
  const account =
    known === undefined ? await signUp(request, email, env) : await findSessionAccount(env.ACCOUNTS_TABLE, known);
  if (!account) throw wrongCode();
  // The account may have lost the address since it was looked up: by an undone change, which ends all sessions.
  const isStillValid = async () => (await findAccountByEmail(env.ACCOUNTS_TABLE, email)) === account.id;
  const how = { account, signed_in_with: "email", api_key_hash: null, isStillValid } as const;
  const response = await startSession(request, how, env);
  const browser = {
    account,
    signed_in_with: "email",
    provenAddress: email,
    isNewAccount: known === undefined,
  } as const;
  return { ...response, cookies: [await rememberBrowser(request, browser, env)] };
}

const DAY_S = 24 * 60 * 60;

/** Trials that can begin in a day: from one network, from all networks of one site, and with the mailboxes of one domain. */
const trialsPerNetwork: AttemptLimit = { kind: "trial-network", limit: 10, windowSeconds: DAY_S };
const trialsPerSite: AttemptLimit = { kind: "trial-site", limit: 20, windowSeconds: DAY_S };
const trialsPerDomain: AttemptLimit = {
  kind: "trial-domain",
  limit: 20,
  windowSeconds: DAY_S,
  refusal: "Too many trials began today with addresses of this domain. Sign in to an account that exists, or wait",
};

/**
 * Opens an account for an address that is proven: with a trial, or without one if its mailbox has had one and that account has gone.
 * Undefined where sign-up is closed. Throws `FORBIDDEN` or `RATE_LIMITED`.
 */
async function signUp(
  { receivedAt: now, sourceIp }: ApiRequest,
  email: string,
  { ACCOUNTS_TABLE, USAGE_TABLE }: CodeResources,
): Promise<SessionAccount | undefined> {
  if (!openSignInMethods().sign_up) return undefined;
  if (isDisposable(email)) throw noTrial("Addresses of disposable mailboxes get no trial. Use another address.");
  const trial = await findTrial(ACCOUNTS_TABLE, email);
  if (trial?.hasAccount) throw noTrial(HAS_ACCOUNT);
  const limits = [
    [trialsPerNetwork, limitedNetwork(sourceIp)],
    [trialsPerSite, siteNetwork(sourceIp)],
    [trialsPerDomain, ownedDomain(email)],
  ] as const;
  for (const [limit, subject] of limits) {
    if (subject !== undefined) await countAttempt(USAGE_TABLE, limit, { subject, now });
  }
  try {
    return (await (trial ? openWithoutTrial : openTrial)(ACCOUNTS_TABLE, { email, now })).account;
  } catch (error) {
    throw error instanceof FurtherWriteFailed ? noTrial(HAS_ACCOUNT) : error;
  }
}

const HAS_ACCOUNT = "This mailbox has an account, under another spelling of its address. Sign in with that address.";

function noTrial(message: string): ApiError {
  return new ApiError("FORBIDDEN", message);
}

/** What the codes to the current and to the new address of an account are for. */
const currentPurpose = (accountId: number) => `account-current:${accountId}`;
const newPurpose = (accountId: number) => `account:${accountId}`;

/** Sends a code to the address that the account has. Throws `NOT_FOUND` without one. */
export async function sendCodeToCurrent({ request, signedIn: owner, env }: OwnerCall): Promise<ApiResponse<never>> {
  const { id, email } = await ownAccount(owner, env);
  const mail = currentAddressMail;
  const claim = { purpose: currentPurpose(id), email: requireAddress(email) };
  return sendCode(request, { ...claim, isWanted: async () => true, mail, byAccount: { id, isOwnAddress: true } }, env);
}

/** Lets the session change the address for some minutes. */
export async function proveCurrent({
  request,
  signedIn: owner,
  options: { code },
  env,
}: OwnerCall<CurrentCodeOptions>): Promise<ApiResponse<never>> {
  const account = await ownAccount(owner, env);
  const email = requireAddress(account.email);
  await requireCode(request, { purpose: currentPurpose(account.id), email, code }, env);
  await storeAddressProof(env.ACCOUNTS_TABLE, owner, { email, now: request.receivedAt });
  return { status: 204 };
}

function requireAddress(email: string | null): string {
  if (email === null)
    throw new ApiError("NOT_FOUND", "The account has no e-mail address yet. Add one without this step.");
  return email;
}

/** Sends a code to the new address of the account. */
export async function askForAddress({
  request,
  signedIn: owner,
  options: { email },
  env,
}: OwnerCall<AddressOptions>): Promise<ApiResponse<never>> {
  const account = await ownAccount(owner, env);
  requireAddressProof(owner, account.email, request.receivedAt);
  const claim = { purpose: newPurpose(account.id), email };
  const byAccount = { id: account.id, isOwnAddress: false };
  return sendCode(request, { ...claim, isWanted: async () => true, mail: newAddressMail, byAccount }, env);
}

/**
 * Throws `FORBIDDEN` unless the user of the session has proven the current address, where the account has one: a stolen cookie
 * must not be enough to take an account over.
 */
function requireAddressProof({ session }: Owner, current: string | null, now: number): void {
  if (current === null || hasProvenAddress(session, current, now)) return;
  throw new ApiError(
    "FORBIDDEN",
    "Confirm the current address of the account first, by the code that is sent to it. That is valid for 15 minutes.",
  );
}

/** Changes of the address of one account. */
const addressChanges: AttemptLimit = { kind: "address-change", limit: 10, windowSeconds: 24 * 60 * 60 };

/**
 * The address becomes that of the account, all other sessions end, and the previous address is notified. Throws `CONFLICT` for
 * another account's address.
 */
export async function verifyAddress({
  request,
  signedIn: owner,
  options: { email, code },
  env,
}: OwnerCall<CodeOptions>): Promise<SessionResponse> {
  const { receivedAt: now } = request;
  const account = await ownAccount(owner, env);
  const accountId = account.id;
  requireAddressProof(owner, account.email, now);
  await requireCode(request, { purpose: newPurpose(accountId), email, code }, env);
  await countAttempt(env.USAGE_TABLE, addressChanges, { subject: String(accountId), now });
  const check = ({ account: { email: current } }: KeyRing) => requireAddressProof(owner, current, now);
  const change = await changeAccountAddress(env.ACCOUNTS_TABLE, { accountId, email, check, now }).catch((error) => {
    throw error instanceof AddressTaken ? taken("Use another one, or sign in with it.") : error;
  });
  await deleteOtherSessions(env.ACCOUNTS_TABLE, owner.session);
  if (change) {
    const mail = changedAddressMail({ accountId, email, ...change }, env.BASE_URL);
    sendAfterAnswer(request, async () => ({ to: change.previous, ...mail }));
  }
  const state = sessionState({ session: owner.session, account: await ownAccount(owner, env) });
  return json(200, state, {
    "Set-Cookie": await knownBrowserCookie(request, [accountSubject(accountId), email], env),
  });
}

/** Gives an account the address back that it had, and ends all its sessions. */
export async function undoAddress({
  request,
  options: { token },
  env,
}: VisitorCall<LinkOptions>): Promise<ApiResponse<ResponseBody<typeof RestoredAddress>>> {
  const undo = async () => {
    const undone = await undoAccountAddressChange(env.ACCOUNTS_TABLE, token, request.receivedAt);
    if (undone) return undone;
    throw new UnauthorizedError("unknown", "This link undoes nothing. It works once, for 72 hours after the change.");
  };
  const { accountId, restored, removed } = await limitFailures(env.USAGE_TABLE, request, undo).catch((error) => {
    if (!(error instanceof AddressTaken)) throw error;
    throw taken("Give that account another address or delete it, and open the link again within its 72 hours.");
  });
  await endAllSessions(env.ACCOUNTS_TABLE, accountId);
  if (removed !== null && removed !== restored) {
    sendAfterAnswer(request, async () => ({ to: removed, ...undoneAddressMail({ accountId }, env.BASE_URL) }));
  }
  return json(200, { email: restored });
}

/** Ends all sessions of the account of an owner who reports a sign-in by the link of a mail. */
export async function reportUnknownSignIn({
  request,
  options: { token },
  env,
}: RouteCall<"page", LinkOptions, "ACCOUNTS_TABLE" | "USAGE_TABLE">): Promise<ApiResponse<never>> {
  await limitFailures(env.USAGE_TABLE, request, async () => {
    if (await reportSignIn(env.ACCOUNTS_TABLE, token, request.receivedAt)) return;
    const message = "This link does nothing any more. It works once, for 72 hours after the sign-in.";
    throw new UnauthorizedError("unknown", message);
  });
  return { status: 204 };
}

function taken(fix: string): ApiError {
  return new ApiError("CONFLICT", `Another account has this address. ${fix}`);
}

async function ownAccount({ session }: Owner, { ACCOUNTS_TABLE }: CodeResources): Promise<SessionAccount> {
  const account = await findSessionAccount(ACCOUNTS_TABLE, session.account_id);
  if (!account) throw sessionEnded("unknown");
  return account;
}
