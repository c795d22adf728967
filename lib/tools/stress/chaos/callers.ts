// The accounts of a chaos run: some with enough quota, and one that is nearly out of quota.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { Webhook } from "standardwebhooks";
import type { Received } from "../../../../test/fixtures/webhook-receiver.ts";
import { type PlanName, plans, quotaFor } from "../../../contract/plans.ts";
import { dynamodb } from "../../../service/aws/clients/dynamodb.ts";
import { periodKey } from "../../../service/aws/table-keys.ts";
import { periodAt } from "../../../service/billing/billing-period.ts";
import { openStressCaller, type StressCaller } from "../stress-caller.ts";
import type { StressService } from "../stress-service.ts";

export interface ChaosCaller extends StressCaller {
  /** Captures of its quota that were used before. */
  readonly usedBefore: number;
}

export interface CallerOptions {
  readonly plan: PlanName;
  /** Captures that are left of a capped quota. @default all */
  readonly left?: number;
}

export async function openCaller(stress: StressService, { plan, left }: CallerOptions): Promise<ChaosCaller> {
  const caller = await openStressCaller(stress, plan);
  const { limit } = quotaFor("screenshots", plans[plan]);
  const usedBefore = left === undefined ? 0 : limit - left;
  if (usedBefore > 0) await useUp(stress.tables.usage, caller, usedBefore);
  return { ...caller, usedBefore };
}

/** True for a webhook with a signature of the caller's that is valid now. */
export function isSignedFor(
  { signingSecret }: ChaosCaller,
  { body, headers }: Pick<Received, "body" | "headers">,
): boolean {
  try {
    new Webhook(signingSecret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Writes the counts that so many captures leave. */
async function useUp(table: string, { account }: StressCaller, count: number): Promise<void> {
  await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: periodKey(account.id, periodAt(account, Date.now()).start),
      UpdateExpression: "SET taken_screenshots = :count, screenshots = :count",
      ExpressionAttributeValues: { ":count": count },
    }),
  );
}
