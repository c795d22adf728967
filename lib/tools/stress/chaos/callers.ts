// The accounts of a chaos run: some with enough quota, and one that is nearly out of quota.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { Webhook } from "standardwebhooks";
import { type PlanName, plans, quotaFor } from "../../../contract/plans.ts";
import type { Account } from "../../../service/account/account.ts";
import { openAccount } from "../../../service/account/open-account.ts";
import { dynamodb } from "../../../service/aws/clients/dynamodb.ts";
import { periodKey } from "../../../service/aws/table-keys.ts";
import { periodAt } from "../../../service/billing/billing-period.ts";
import type { ChaosService } from "./chaos-service.ts";
import type { Sent } from "./receiver.ts";

export interface ChaosCaller {
  readonly account: Account;
  readonly signingSecret: string;
  /** Captures of its quota that were used before. */
  readonly usedBefore: number;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

export interface CallerOptions {
  readonly plan: PlanName;
  /** Captures that are left of a capped quota. @default all */
  readonly left?: number;
}

export async function openCaller(
  { service, tables }: Pick<ChaosService, "service" | "tables">,
  { plan, left }: CallerOptions,
): Promise<ChaosCaller> {
  const now = Date.now();
  const { ring, key, apiKey } = await openAccount(tables.accounts, { plan, label: "Chaos", now });
  const { limit } = quotaFor("screenshots", plans[plan]);
  const usedBefore = left === undefined ? 0 : limit - left;
  if (usedBefore > 0) await useUp(tables.usage, ring.account, usedBefore, now);
  const ask = (path: string, init: RequestInit) => fetch(`${service.baseUrl}${path}`, init);
  const headers = { Authorization: `Bearer ${key}` };
  return {
    account: ring.account,
    signingSecret: apiKey.signing_secret,
    usedBefore,
    get: (path, query = {}) => ask(`${path}?${new URLSearchParams(query)}`, { headers }),
    post: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

/** True for a webhook with a signature of the caller's that is valid now. */
export function isSignedFor({ signingSecret }: ChaosCaller, { body, headers }: Sent): boolean {
  try {
    new Webhook(signingSecret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** As so many captures leave it. */
async function useUp(table: string, account: Account, count: number, now: number): Promise<void> {
  await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: periodKey(account.id, periodAt(account, now).start),
      UpdateExpression: "SET taken_screenshots = :count, screenshots = :count",
      ExpressionAttributeValues: { ":count": count },
    }),
  );
}
