// The job state machine as DynamoDB updates: each ConditionExpression admits only legal transitions and the lease
// holder.
import { jobKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { completedWebhook, restartedWebhook } from "../webhooks/webhook.ts";
import { type Job, type JobIds, type JobStatus, transitions } from "./job.ts";

/** The worker that holds a job, and until when in milliseconds since 1970. */
export type JobLease = NonNullable<Job["lease"]>;

/** Outcome of a job. */
export type JobOutcome =
  | ({ readonly status: "success" } & Pick<Job, "result" | "from_cache" | "response_time_ms">)
  | ({ readonly status: "failed" } & Pick<Job, "error" | "response_time_ms">);

export type Update = NonNullable<Write["Update"]>;

/** Acquires the lease at `now` (milliseconds since 1970) of a job that is queued, or whose lease has expired. */
export function claimWrite(table: string, ids: JobIds, { lease, now }: { lease: JobLease; now: number }): Update {
  return change(table, ids, {
    to: "processing",
    from: ["queued", "processing"],
    set: { lease },
    add: { attempts: 1 },
    condition: isFree(now),
  });
}

/** Heartbeat: the holder extends its lease. */
export function renewLeaseWrite(table: string, ids: JobIds, lease: JobLease): Update {
  return change(table, ids, {
    to: "processing",
    from: ["processing"],
    set: { lease },
    condition: heldBy(lease.holder),
  });
}

/** The holder releases the job without an outcome. An attempt that was interrupted does not count. */
export function releaseJobWrite(
  table: string,
  ids: JobIds,
  { holder, isInterrupted }: { readonly holder: string; readonly isInterrupted: boolean },
): Update {
  return change(table, ids, {
    to: "queued",
    from: ["processing"],
    set: { lease: null },
    ...(isInterrupted && { add: { attempts: -1 } }),
    condition: heldBy(holder),
  });
}

/**
 * The holder ends the job at `now` (milliseconds since 1970). A webhook that excludes this outcome is skipped. A job that is to be
 * cancelled cannot succeed any more, so that nothing is billed after its account was told so.
 */
export function finishWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "webhook">,
  { holder, now, outcome }: { holder: string; now: number; outcome: JobOutcome },
): Update {
  return change(table, job, {
    to: outcome.status,
    from: ["processing"],
    set: endFields(job, now, outcome),
    condition: outcome.status === "success" ? both(heldBy(holder), NOT_CANCELLED) : heldBy(holder),
  });
}

/** Marks a job that a worker holds as to be cancelled; the worker polls for the mark. `at` is a timestamp. */
export function requestCancellationWrite(table: string, ids: JobIds, at: string): Update {
  return change(table, ids, { to: "processing", from: ["processing"], set: { cancel_requested_at: at } });
}

/** Ends an abandoned job at `now` (milliseconds since 1970): its lease has expired. */
export function abandonWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "webhook">,
  { now, outcome }: { now: number; outcome: JobOutcome },
): Update {
  return change(table, job, {
    to: outcome.status,
    from: ["processing"],
    set: endFields(job, now, outcome),
    condition: { expression: "#lease.#until <= :now", values: { ":now": now } },
  });
}

/** Ends a job at `now` (milliseconds since 1970) that no worker holds: it was cancelled, or its message is dead. */
export function endWaitingWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "webhook">,
  { now, outcome }: { now: number; outcome: JobOutcome },
): Update {
  return change(table, job, {
    to: outcome.status,
    from: ["queued", "processing"],
    set: endFields(job, now, outcome),
    condition: isFree(now),
  });
}

/**
 * Requeues a failed job as a new attempt of its capture, and restarts its webhook. Optimistic locking on the webhook's
 * version.
 */
export function requeueWrite(table: string, { request, webhook, ...ids }: Job, attempt: string): Update {
  return change(table, ids, {
    to: "queued",
    from: ["failed"],
    set: {
      finished_at: null,
      error: null,
      attempts: 0,
      cancel_requested_at: null,
      slot: null,
      response_time_ms: null,
      request: { ...request, allowance: { ...request.allowance, attempt } },
      ...(webhook && { webhook: restartedWebhook(webhook) }),
    },
    ...(webhook && {
      condition: { expression: "#webhook.#version = :version", values: { ":version": webhook.version } },
    }),
  });
}

/** Marks the stored result of a successful job as deleted. */
export function clearResultWrite(table: string, { account_id, id }: JobIds): Update {
  const expression = "SET #result.#stored = :nothing";
  const condition = "attribute_exists(#result.#stored)";
  return {
    TableName: table,
    Key: jobKey(account_id, id),
    UpdateExpression: expression,
    ConditionExpression: condition,
    ExpressionAttributeNames: placeholders(expression, condition),
    ExpressionAttributeValues: { ":nothing": null },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

function endFields({ webhook }: Pick<Job, "webhook">, now: number, { status, ...outcome }: JobOutcome): Partial<Job> {
  return {
    lease: null,
    finished_at: new Date(now).toISOString(),
    ...outcome,
    ...(webhook && { webhook: completedWebhook(webhook, status) }),
  };
}

interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** It is queued, or its lease has expired at `now` (milliseconds since 1970). */
function isFree(now: number): Condition {
  return {
    expression: "(#status = :queued OR #lease.#until <= :now)",
    values: { ":queued": "queued", ":now": now },
  };
}

function heldBy(holder: string): Condition {
  return { expression: "#lease.#holder = :holder", values: { ":holder": holder } };
}

/** Jobs of earlier versions lack the attribute. */
const NOT_CANCELLED: Condition = {
  expression: "(attribute_not_exists(#cancel_requested_at) OR #cancel_requested_at = :none)",
  values: { ":none": null },
};

function both(one: Condition, other: Condition): Condition {
  return { expression: `${one.expression} AND ${other.expression}`, values: { ...one.values, ...other.values } };
}

interface Change {
  readonly to: JobStatus;
  readonly from: readonly JobStatus[];
  readonly set: Partial<Job>;
  readonly add?: Partial<Pick<Job, "attempts">>;
  /** Additional condition. */
  readonly condition?: Condition;
}

/** Builds the update of a transition. Throws a RangeError for an illegal one. */
function change(table: string, { account_id, id }: JobIds, { to, from, set, add = {}, condition }: Change): Update {
  const illegal = from.find((status) => !transitions[status].includes(to));
  if (illegal) throw new RangeError(`A job cannot change from ${illegal} to ${to}.`);
  const fields: [string, unknown][] = Object.entries({ status: to, ...set });
  const conditions = [`#status IN (${from.map((status) => `:from_${status}`).join(", ")})`, condition?.expression];
  const additions = Object.entries(add);
  const updateExpression = [
    `SET ${fields.map(([name]) => `#${name} = :to_${name}`).join(", ")}`,
    ...additions.map(([name]) => `ADD #${name} :add_${name}`),
  ].join(" ");
  const conditionExpression = conditions.filter((each) => each !== undefined).join(" AND ");
  return {
    TableName: table,
    Key: jobKey(account_id, id),
    UpdateExpression: updateExpression,
    ConditionExpression: conditionExpression,
    ExpressionAttributeNames: placeholders(updateExpression, conditionExpression),
    ExpressionAttributeValues: {
      ...Object.fromEntries(fields.map(([name, value]) => [`:to_${name}`, value])),
      ...Object.fromEntries(additions.map(([name, value]) => [`:add_${name}`, value])),
      ...Object.fromEntries(from.map((status) => [`:from_${status}`, status])),
      ...condition?.values,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** Placeholders for all names, because DynamoDB reserves many words, `status` and `error` among them. */
function placeholders(...expressions: readonly string[]): Record<string, string> {
  const names = expressions.flatMap((expression) => expression.match(/#\w+/g) ?? []);
  return Object.fromEntries(names.map((name) => [name, name.slice(1)]));
}
