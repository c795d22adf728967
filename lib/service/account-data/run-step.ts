// Runs the step of a queue message. A step that fails is repeated, later each time, until its message goes to the dead letters.
import { updateItem } from "../aws/items.ts";
import type { QueueMessage } from "../aws/queue-handler.ts";
import { exportKey } from "../aws/table-keys.ts";
import { logError } from "../platform/log.ts";
import { type DeletionResources, runDeletionStep } from "./deletion-step.ts";
import { type ExportResources, runExportStep } from "./export-step.ts";
import { LeaseLost } from "./task-lease.ts";
import { MAX_STEP_RECEIVES, parseStepMessage, type StepMessage } from "./task-queue.ts";

/** Exponential backoff between these bounds, in seconds: all attempts together take about three hours. */
const MIN_BACKOFF_S = 15;
const MAX_BACKOFF_S = 3_600;

/** Runs the step of a message. Resolves to undefined when the message is finished, and to the seconds after which it is delivered again. */
export async function runStep(
  { body, receives }: Pick<QueueMessage, "body" | "receives">,
  env: ExportResources & DeletionResources,
): Promise<number | undefined> {
  const message = parseStepMessage(body);
  const { account_id: accountId, id, step, kind } = message;
  try {
    return typeof id === "number"
      ? await runExportStep({ accountId, id, step }, env)
      : await runDeletionStep({ accountId, id, step }, env);
  } catch (error) {
    if (error instanceof LeaseLost) return undefined; // the account was deleted, or another step goes on
    logError("step failed", error, { kind, account_id: accountId, step, receives });
    if (receives >= MAX_STEP_RECEIVES) await failExport(message, env.ACTIVITY_TABLE);
    return Math.min(MAX_BACKOFF_S, MIN_BACKOFF_S * 2 ** receives);
  }
}

/** Lets the owner see that an export has failed. A deletion goes on when the operator sends its message again. */
async function failExport({ account_id, id, kind }: StepMessage, table: string): Promise<void> {
  if (kind !== "export") return;
  await updateItem(table, exportKey(account_id, Number(id)), {
    update: "SET #status = :failed",
    condition: "#status = :running",
    values: { ":failed": "failed", ":running": "running" },
  });
}
