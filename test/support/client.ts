// A caller of the running service, with an account of its own.
import { inject } from "vitest";
import { openAccount } from "../../lib/accounts/open-account.ts";
import { useLocalDynamoDb } from "../../lib/local/find-service.ts";

export interface Client {
  readonly key: string;
  readonly accountId: number;
  readonly keyId: number;
  /** A request with the key in its header. */
  get(path: string, query?: Record<string, string>): Promise<Response>;
  capture(options: Record<string, string>): Promise<Response>;
  /** The newest capture logs of the account. */
  logs(): Promise<Record<string, unknown>[]>;
}

/** Opens an account, so that no test sees what another did. */
export async function openClient(): Promise<Client> {
  const { baseUrl, accountsTable, dynamodb } = inject("service");
  useLocalDynamoDb(dynamodb);
  const { account, apiKey, key } = await openAccount(accountsTable, { plan: "max", label: "Test", now: Date.now() });
  const get = (path: string, query: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`, { headers: { Authorization: `Bearer ${key}` } });
  return {
    key,
    accountId: account.id,
    keyId: apiKey.id,
    get,
    capture: (options) => get("/api/v1/screenshot", options),
    logs: async () => (await (await get("/api/v1/usage")).json()).data,
  };
}
