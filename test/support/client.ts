// An API client of the running service, with an account of its own.
import { inject } from "vitest";
import type { PlanName } from "../../lib/contract/plans.ts";
import type { Account } from "../../lib/service/account/account.ts";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";

export interface Client {
  readonly key: string;
  readonly account: Account;
  readonly accountId: number;
  readonly keyId: number;
  readonly signingSecret: string;
  /** A request with the key in its header. */
  get(path: string, query?: Record<string, string>): Promise<Response>;
  capture(options: Record<string, string>): Promise<Response>;
  /** The newest capture logs of the account. */
  logs(): Promise<Record<string, unknown>[]>;
}

/** Opens an account, so that no test sees what another did; `openedAt` is in milliseconds since 1970. */
export async function openClient({ plan = "max" as PlanName, openedAt = Date.now() } = {}): Promise<Client> {
  const service = inject("service");
  const { baseUrl, accountsTable } = service;
  useLocalData(service);
  const { ring, apiKey, key } = await openAccount(accountsTable, { plan, label: "Test", now: openedAt });
  const get = (path: string, query: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`, { headers: { Authorization: `Bearer ${key}` } });
  return {
    key,
    account: ring.account,
    accountId: ring.account.id,
    keyId: apiKey.id,
    signingSecret: apiKey.signing_secret,
    get,
    capture: (options) => get("/api/v1/screenshot", options),
    logs: async () => (await (await get("/api/v1/usage")).json()).data,
  };
}
