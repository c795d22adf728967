// Signing in and up by e-mail, and changing the address of an account.
import { emailWrite, findAccountByEmail, hasHadTrial, releaseEmailWrite } from "../../accounts/account-email.ts";
import { FurtherWriteFailed, updateKeyRing } from "../../accounts/account-store.ts";
import { openTrial } from "../../accounts/open-account.ts";
import { ApiError } from "../../errors/api-error.ts";
import { isDisposable } from "../../mail/addresses.ts";
import { sessionEnded } from "../../sessions/authenticate-session.ts";
import { limitedNetwork } from "../../sessions/network-address.ts";
import type { SessionAccount } from "../../sessions/session.ts";
import { findSessionAccount } from "../../sessions/session-store.ts";
import { type AttemptLimit, countAttempt } from "../../sessions/sign-in-attempts.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceSessionLimit, requireOwnPage, signedIn } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import { parseAddress, parseCode } from "./email-options.ts";
import type { SessionState } from "./responses.ts";
import { type CodeResources, requireCode, sendCode, wrongCode } from "./send-code.ts";
import { sessionState, signInDoors } from "./session-state.ts";
import { startSession } from "./start-session.ts";

type SessionBody = ResponseBody<typeof SessionState>;

/** Answers a request for one of these routes, by its path template. */
export function serveSignIn(request: ApiRequest, env: CodeResources): Promise<ApiResponse<SessionBody>> {
  switch (request.resource) {
    case "/sign-in/code":
      return askForCode(request, env);
    case "/sign-in/code/verify":
      return signInByCode(request, env);
    case "/session/account/email":
      return askForAddress(request, env);
    default:
      return changeAddress(request, env);
  }
}

const SIGN_IN = "sign-in";

/** POST /sign-in/code: sends a code to an address that has an account or may get one. */
async function askForCode(request: ApiRequest, env: CodeResources): Promise<ApiResponse<never>> {
  requireOwnPage(request);
  const email = parseAddress(request);
  const isWanted = async () =>
    signInDoors().sign_up || (await findAccountByEmail(env.ACCOUNTS_TABLE, email)) !== undefined;
  return sendCode(request, { purpose: SIGN_IN, email, isWanted }, env);
}

/** POST /sign-in/code/verify: signs in, or opens a trial where sign-up is open. */
async function signInByCode(request: ApiRequest, env: CodeResources): Promise<ApiResponse<SessionBody>> {
  requireOwnPage(request);
  const { email, code } = parseCode(request);
  await requireCode(request, { purpose: SIGN_IN, email, code }, env);
  const known = await findAccountByEmail(env.ACCOUNTS_TABLE, email);
  const account =
    known === undefined ? await signUp(request, email, env) : await findSessionAccount(env.ACCOUNTS_TABLE, known);
  if (!account) throw wrongCode();
  return startSession(request, { account, signed_in_with: "email", api_key_hash: null }, env);
}

/** Trials that one network may open in a day. */
const trialsPerNetwork: AttemptLimit = { kind: "trial-network", limit: 10, windowSeconds: 24 * 60 * 60 };

/** Opens a trial for an address that is proven. Undefined where sign-up is closed. Throws `FORBIDDEN` or `RATE_LIMITED`. */
async function signUp(
  { receivedAt: now, sourceIp }: ApiRequest,
  email: string,
  { ACCOUNTS_TABLE, USAGE_TABLE }: CodeResources,
): Promise<SessionAccount | undefined> {
  if (!signInDoors().sign_up) return undefined;
  if (isDisposable(email)) throw noTrial("Addresses of disposable mailboxes get no trial. Use another address.");
  if (await hasHadTrial(ACCOUNTS_TABLE, email)) throw noTrial(HAD_TRIAL);
  await countAttempt(USAGE_TABLE, trialsPerNetwork, { subject: limitedNetwork(sourceIp), now });
  try {
    return (await openTrial(ACCOUNTS_TABLE, { email, now })).account;
  } catch (error) {
    throw error instanceof FurtherWriteFailed ? noTrial(HAD_TRIAL) : error;
  }
}

const HAD_TRIAL =
  "This mailbox has had a trial, under this or another spelling of its address. Sign in with that address.";

function noTrial(message: string): ApiError {
  return new ApiError("FORBIDDEN", message);
}

/** The account of the session of a request. Throws `UNAUTHORIZED`, `FORBIDDEN` or `RATE_LIMITED`. */
async function requireAccount(request: ApiRequest, env: CodeResources): Promise<number> {
  const { sessionToken } = request;
  if (sessionToken === undefined) throw sessionEnded("missing");
  const { caller } = await signedIn({ ...request, sessionToken }, env);
  await enforceSessionLimit(request, caller, env);
  return caller.account.id;
}

/** POST /session/account/email: sends a code to the new address of the account. */
async function askForAddress(request: ApiRequest, env: CodeResources): Promise<ApiResponse<never>> {
  const accountId = await requireAccount(request, env);
  const email = parseAddress(request);
  return sendCode(request, { purpose: `account:${accountId}`, email, isWanted: async () => true }, env);
}

/** POST /session/account/email/verify: the address becomes that of the account. Throws `CONFLICT` for another account's. */
async function changeAddress(request: ApiRequest, env: CodeResources): Promise<ApiResponse<SessionBody>> {
  const accountId = await requireAccount(request, env);
  const { email, code } = parseCode(request);
  await requireCode(request, { purpose: `account:${accountId}`, email, code }, env);
  const table = env.ACCOUNTS_TABLE;
  try {
    await updateKeyRing(
      table,
      accountId,
      (ring) => (ring.account.email === email ? ring : { ...ring, account: { ...ring.account, email } }),
      ({ account }) => [
        emailWrite(table, { email, accountId }),
        ...(account.email === null ? [] : [releaseEmailWrite(table, account.email)]),
      ],
    );
  } catch (error) {
    if (!(error instanceof FurtherWriteFailed)) throw error;
    throw new ApiError("CONFLICT", "Another account has this address. Use another one, or sign in with it.");
  }
  return currentState(request, env);
}

async function currentState(request: ApiRequest, env: CodeResources): Promise<ApiResponse<SessionBody>> {
  const { session } = await signedIn({ ...request, sessionToken: request.sessionToken ?? "" }, env);
  const account = await findSessionAccount(env.ACCOUNTS_TABLE, session.account_id);
  if (!account) throw sessionEnded("unknown");
  return json(200, sessionState({ session, account }));
}
