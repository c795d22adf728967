// The queue of captures that are to be taken.
import { sendForAccount } from "../aws/account-queue.ts";
import type { JobMessage } from "./job-message.ts";

/** Puts a capture into the queue. */
export function sendJob(queueUrl: string, message: JobMessage): Promise<void> {
  return sendForAccount(queueUrl, message);
}
