// A caller of a stress run: an account and its requests to the API.
import type { PlanName } from "../../contract/plans.ts";
import type { Account } from "../../service/account/account.ts";
import { openAccount } from "../../service/account/open-account.ts";
import type { StressService } from "./stress-service.ts";

export interface StressCaller {
  readonly account: Account;
  readonly signingSecret: string;
  /** Of a path of the API, or of a complete URL. */
  get(address: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

export async function openStressCaller(
  { service, tables }: Pick<StressService, "service" | "tables">,
  plan: PlanName,
): Promise<StressCaller> {
  const { ring, key, apiKey } = await openAccount(tables.accounts, { plan, label: "Stress", now: Date.now() });
  const headers = { Authorization: `Bearer ${key}` };
  const send = (address: string, init: RequestInit) => fetch(new URL(address, service.baseUrl), init);
  return {
    account: ring.account,
    signingSecret: apiKey.signing_secret,
    get: (address) => send(address, { headers }),
    post: (path, body) =>
      send(path, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}
