// Runs exports and deletions step by step, as their function does with the messages of its queue.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { readKeyRing } from "../../lib/service/account/account-store.ts";
import { findDeletion, requestDeletion } from "../../lib/service/account-data/account-deletion.ts";
import { type DataExport, type ExportRequest, newExport } from "../../lib/service/account-data/data-export.ts";
import { type DeletionResources, runDeletionStep } from "../../lib/service/account-data/deletion-step.ts";
import { type ExportResources, runExportStep } from "../../lib/service/account-data/export-step.ts";
import { findExport, putExport } from "../../lib/service/account-data/export-store.ts";
import { STEP_MS } from "../../lib/service/account-data/task-lease.ts";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { s3 } from "../../lib/service/aws/clients/s3.ts";
import { exportKey } from "../../lib/service/aws/table-keys.ts";

/** Enough for every test: a task that takes more steps stands still. */
const MAX_STEPS = 5_000;

/** Lets calls fail from a number of calls on: see `letCallsFail`. */
export interface DyingProcess {
  failAfter(calls: number): void;
}

/** Runs an export to its end. With a dying process, two of three steps die, each later. Resolves to the export as it is stored. */
export async function exportInSteps(
  env: ExportResources,
  request: ExportRequest,
  { stepMs = STEP_MS, dying }: { readonly stepMs?: number; readonly dying?: DyingProcess } = {},
): Promise<DataExport> {
  const { accountId } = request;
  const started = newExport(request, Date.now());
  const { id } = started;
  await putExport(env.ACTIVITY_TABLE, started);
  for (let attempt = 0; attempt < MAX_STEPS; attempt++) {
    const stored = await findExport(env.ACTIVITY_TABLE, { accountId, id }, Date.now());
    if (stored?.status !== "running") return stored as DataExport;
    dying?.failAfter(attempt % 3 === 2 ? Number.POSITIVE_INFINITY : 2 + attempt);
    const died = await runExportStep({ accountId, id, step: stored.step }, env, { stepMs }).then(
      () => undefined,
      String,
    );
    dying?.failAfter(Number.POSITIVE_INFINITY);
    if (died !== undefined && !died.includes(STEP_DIED)) throw new Error(died);
    if (died !== undefined) await endLease(env.ACTIVITY_TABLE, exportKey(accountId, id));
  }
  throw new Error("The export doesn't end.");
}

/** Lets calls to DynamoDB and S3 fail from a number of calls on, as if the process had died: not even the lease is released. */
export function letCallsFail() {
  let left = Number.POSITIVE_INFINITY;
  let deaths = 0;
  const name = "dying";
  // biome-ignore lint/suspicious/noExplicitAny: the stacks of the two clients differ in types alone.
  const stacks = [dynamodb(), s3()].map((client) => client.middlewareStack as any);
  for (const stack of stacks) {
    stack.add(
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      (next: any) => async (args: any) => {
        if (left-- > 0) return next(args);
        if (left === -1) deaths++;
        throw new Error(STEP_DIED);
      },
      { step: "initialize", name },
    );
  }
  return {
    /** Counts from now on. */
    failAfter(calls: number) {
      left = calls;
    },
    get deaths() {
      return deaths;
    },
    remove() {
      for (const stack of stacks) stack.remove(name);
    },
  };
}

/** As if the time of a lease were over, whose step has died. */
async function endLease(TableName: string, Key: Record<string, string>): Promise<void> {
  const command = new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: "SET leased_until = :zero",
    ExpressionAttributeValues: { ":zero": 0 },
  });
  await dynamodb().send(command);
}

/** The message of the error with which a test lets a step die. */
export const STEP_DIED = "The step died.";

/** Requests the deletion of an account unless it was, and runs its steps until it has a status. With `running`, it is only requested. */
export async function deleteInSteps(
  env: DeletionResources,
  accountId: number,
  { until, stepMs = STEP_MS }: { readonly until: "running" | "finishing" | "done"; readonly stepMs?: number },
): Promise<number> {
  if (!(await findDeletion(env.ACCOUNTS_TABLE, accountId))) {
    const ring = await readKeyRing(env.ACCOUNTS_TABLE, accountId).catch(() => undefined);
    if (ring) await requestDeletion(env.ACCOUNTS_TABLE, ring.account, Date.now());
  }
  const order = ["running", "finishing", "done"];
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const deletion = await findDeletion(env.ACCOUNTS_TABLE, accountId);
    if (!deletion || order.indexOf(deletion.status) >= order.indexOf(until)) return steps;
    const { id, step } = deletion;
    await runDeletionStep({ accountId, id, step }, env, { stepMs });
  }
  throw new Error("The deletion doesn't end.");
}
