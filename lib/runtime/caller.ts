// Who calls a route: the key of a request, looked up in the Accounts table.
import type { ApiKey, Scope } from "../accounts/account.ts";
import { findApiKey } from "../accounts/account-store.ts";
import { authenticate } from "../accounts/authenticate.ts";
import type { ApiRequest } from "./api-request.ts";

/** The API key behind a presented one, with the scope. Throws `UNAUTHORIZED` or `FORBIDDEN`. */
export async function callerOf(
  presented: string,
  scope: Scope,
  request: ApiRequest,
  accountsTable: string,
): Promise<ApiKey> {
  const find = (hash: string) => findApiKey(accountsTable, hash);
  return authenticate(presented, scope, { find, now: request.receivedAt });
}
