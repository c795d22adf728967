// A one-time schedule of EventBridge Scheduler, as far as the service uses it: it sends one message to a queue, and is deleted.
// https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
import * as v from "valibot";

const name = v.pipe(v.string(), v.regex(/^[0-9a-zA-Z\-_.]{1,64}$/));

/** Scheduler's universal target for SQS. */
const SEND_MESSAGE = "arn:aws:scheduler:::aws-sdk:sqs:sendMessage";

const MessageSchema = v.object({
  QueueUrl: v.string(),
  MessageBody: v.string(),
  MessageGroupId: v.optional(v.string()),
  MessageAttributes: v.optional(v.record(v.string(), v.object({ DataType: v.string(), StringValue: v.string() }))),
});

/** What a request may contain; the runner refuses a schedule with anything else. */
const ScheduleSchema = v.strictObject({
  Name: name,
  GroupName: name,
  ScheduleExpression: v.pipe(v.string(), v.regex(/^at\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\)$/)),
  FlexibleTimeWindow: v.strictObject({ Mode: v.literal("OFF") }),
  ActionAfterCompletion: v.literal("DELETE"),
  ClientToken: v.optional(v.string()),
  Target: v.strictObject({
    Arn: v.literal(SEND_MESSAGE),
    RoleArn: v.string(),
    Input: v.string(),
    DeadLetterConfig: v.optional(v.strictObject({ Arn: v.string() })),
  }),
});
export type Schedule = v.InferOutput<typeof ScheduleSchema>;

/** Parses a schedule. Throws when it has what the local runner does not play. */
export function parseSchedule(value: unknown): Schedule {
  const schedule = v.parse(ScheduleSchema, value);
  messageOf(schedule);
  return schedule;
}

/** The parameters of `SendMessage` with which the schedule calls SQS. */
export function messageOf({ Target }: Pick<Schedule, "Target">): v.InferOutput<typeof MessageSchema> {
  return v.parse(MessageSchema, JSON.parse(Target.Input));
}

/** When the schedule is due, in milliseconds since 1970. Its expression is in UTC. */
export function dueAt({ ScheduleExpression }: Pick<Schedule, "ScheduleExpression">): number {
  return Date.parse(`${ScheduleExpression.slice("at(".length, -1)}Z`);
}
