// Sends a message to the webhook queue at a later time: with a delay of SQS where that is long enough, else by a one-time schedule of
// EventBridge Scheduler. No message waits in flight: a queue can have 120,000 of these.
import { ConflictException, CreateScheduleCommand } from "@aws-sdk/client-scheduler";
import { accountMessageInput, MAX_DELAY_S } from "../aws/account-queue.ts";
import { scheduler } from "../aws/clients/scheduler.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import {
  type DeliveryRequest,
  enqueueDelivery,
  isOperatorEventRequest,
  isReceiverRequest,
  type OperatorEventRequest,
  type PostponedRequest,
} from "./webhook-queue.ts";

export type LaterResources = Pick<
  Environment,
  "WEBHOOK_QUEUE_URL" | "WEBHOOK_SCHEDULE_GROUP" | "WEBHOOK_SCHEDULE_ROLE_ARN" | "WEBHOOK_DEAD_LETTER_QUEUE_ARN"
>;

/**
 * Sends a message at `until` (milliseconds since 1970), by less than a minute late. Where a schedule cannot be created, because
 * Scheduler throttles, its quota is used up, or it does not respond, the message comes after some minutes, finds that it is early, and
 * is sent later again. Rejects only when the message cannot be queued either.
 */
export async function sendLater(message: PostponedRequest, until: number, env: LaterResources): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  if (delaySeconds <= MAX_DELAY_S || isReceiverRequest(message)) {
    return enqueueDelivery(env.WEBHOOK_QUEUE_URL, message, { delaySeconds: Math.min(delaySeconds, MAX_DELAY_S) });
  }
  try {
    await schedule(message, until, env);
  } catch (error) {
    const { account_id } = message;
    const ids = isOperatorEventRequest(message) ? { operator_event: message.id } : { job_id: message.job_id };
    logError("webhook not scheduled", error, { account_id, ...ids });
    emitMetrics({ WebhooksNotScheduled: 1 }, ids);
    await enqueueDelivery(env.WEBHOOK_QUEUE_URL, message, { delaySeconds: spreadDelay(Math.random()) });
  }
}

/** Between ten and fifteen minutes, so that messages which were throttled together do not come back together. */
function spreadDelay(random: number): number {
  return Math.round(MAX_DELAY_S * (2 / 3 + random / 3));
}

/**
 * Creates the schedule. Its name follows from the message and its time: of two messages that wait for the same attempt, as SQS may
 * deliver one twice, one is left.
 *
 * The target is SQS's `SendMessage` itself, Scheduler's universal target, because its target for queues takes a message group for
 * FIFO queues only, and fair queues need one.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-universal.html
 */
async function schedule(
  message: DeliveryRequest | OperatorEventRequest,
  until: number,
  env: LaterResources,
): Promise<void> {
  const seconds = Math.ceil(until / 1000);
  const command = new CreateScheduleCommand({
    GroupName: env.WEBHOOK_SCHEDULE_GROUP,
    Name: [...scheduleIds(message), seconds].join("-"),
    ScheduleExpression: `at(${new Date(seconds * 1000).toISOString().slice(0, 19)})`, // in UTC
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "DELETE",
    Target: {
      Arn: "arn:aws:scheduler:::aws-sdk:sqs:sendMessage",
      RoleArn: env.WEBHOOK_SCHEDULE_ROLE_ARN,
      Input: JSON.stringify(accountMessageInput(env.WEBHOOK_QUEUE_URL, message)),
      DeadLetterConfig: { Arn: env.WEBHOOK_DEAD_LETTER_QUEUE_ARN },
    },
  });
  try {
    await scheduler().send(command);
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}

/** What is unique to a message. The name of a schedule has at most 64 characters. */
function scheduleIds(message: DeliveryRequest | OperatorEventRequest): readonly (string | number)[] {
  if (isOperatorEventRequest(message)) return [message.id, message.again ?? "first"];
  return [message.account_id, message.job_id, message.round ?? "any"];
}
