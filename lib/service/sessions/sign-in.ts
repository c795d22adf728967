// POST /session: signs in by an API key or by a one-time link.
import { findCaller } from "../account/account-store.ts";
import { authenticate, requireScope, UnauthorizedError } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { identify, reportFirstUse } from "../http/authorize.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { ApiResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { hashApiKey, isWellFormed } from "../keys/api-key.ts";
import { rememberBrowser } from "./new-browser.ts";
import type { SessionStateResponse } from "./responses.ts";
import type { Session, SessionAccount } from "./session.ts";
import type { SignInOptions } from "./session-options.ts";
import { findSessionAccount } from "./session-store.ts";
import { limitFailures } from "./sign-in-attempts.ts";
import { redeemSignInLink } from "./sign-in-link.ts";
import { startSession } from "./start-session.ts";

/** Signs in. Throws `UNAUTHORIZED`, `ACCOUNT_SUSPENDED` for a key of a suspended account, `FORBIDDEN` for a key without the scope `keys`, or `RATE_LIMITED`. */
export async function signIn({
  request,
  options,
  env,
}: RouteCall<"page", SignInOptions, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">): Promise<
  ApiResponse<ResponseBody<typeof SessionStateResponse>>
> {
  const prove = () => proveAccount(options, env.ACCOUNTS_TABLE, request);
  const proven = await limitFailures(env.USAGE_TABLE, request, prove);
  const response = await startSession(request, proven, env);
  return { ...response, cookies: [await rememberBrowser(request, proven, env)] };
}

type Proof = Pick<Session, "signed_in_with" | "api_key_hash"> & { readonly account: SessionAccount };

async function proveAccount({ api_key, token }: SignInOptions, table: string, request: ApiRequest): Promise<Proof> {
  const { receivedAt: now } = request;
  const account =
    api_key === undefined ? await linkAccount(token ?? "", table, now) : await keyAccount(api_key, table, request);
  const facts = account.id === undefined ? undefined : await findSessionAccount(table, account.id);
  if (!facts) throw refused();
  return { ...account.how, account: facts };
}

async function linkAccount(token: string, table: string, now: number) {
  const id = await redeemSignInLink(table, token, now);
  return { id, how: { signed_in_with: "link", api_key_hash: null } as const };
}

async function keyAccount(key: string, table: string, request: ApiRequest) {
  if (!isWellFormed(key)) throw refused();
  const find = (hash: string) => findCaller(table, hash);
  const caller = await authenticate({ key, isInQuery: false }, { find, now: request.receivedAt }).catch((error) => {
    throw error instanceof UnauthorizedError ? refused() : error;
  });
  identify(caller);
  reportFirstUse(request, caller, key);
  requireScope(caller, "keys");
  return { id: caller.account.id, how: { signed_in_with: "api_key", api_key_hash: hashApiKey(key) } as const };
}

/** One message for every reason. */
function refused(): UnauthorizedError {
  return new UnauthorizedError(
    "unknown",
    "This API key or link does not sign you in. A link can be used once, within 15 minutes; ask for another one.",
  );
}
