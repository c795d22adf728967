// The queue of data tasks: exports of an account's data, and deletions of accounts. A message stands for one step of a task, and the
// step sends the message of the next one.
import * as v from "valibot";
import { sendForAccount } from "../aws/account-queue.ts";

/** Receives of a message after which it goes to the dead letters: the step has failed so often. */
export const MAX_STEP_RECEIVES = 10;

const StepMessageSchema = v.object({
  kind: v.picklist(["export", "deletion"]),
  account_id: v.number(),
  /** The id of the export, or of the deletion. */
  id: v.union([v.number(), v.string()]),
  /** Number of the step, counted from 0. */
  step: v.number(),
});

/** A message that runs one step of a task. */
export type StepMessage = v.InferOutput<typeof StepMessageSchema>;

/** Sends the message of a step, which is delayed by `delaySeconds`, at most 900. */
export async function enqueueStep(queueUrl: string, message: StepMessage, delaySeconds = 0): Promise<void> {
  await sendForAccount(queueUrl, message, { delaySeconds });
}

/** Parses the body of a message. Throws for any other text. */
export function parseStepMessage(body: string): StepMessage {
  return v.parse(StepMessageSchema, JSON.parse(body));
}
