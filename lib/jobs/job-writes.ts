// How a job goes from one state to the next: updates whose conditions let through legal transitions only.
import { jobKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { completedWebhook, restartedWebhook } from "../webhooks/webhook.ts";
import { type Job, type JobIds, type JobStatus, transitions } from "./job.ts";

/** Who holds a job, and until when in milliseconds since 1970. */
export type Lease = NonNullable<Job["lease"]>;

/** How a job ended. */
export type JobOutcome =
  | ({ readonly status: "success" } & Pick<Job, "result" | "from_cache" | "response_time_ms">)
  | ({ readonly status: "failed" } & Pick<Job, "error" | "response_time_ms">);

export type Update = NonNullable<Write["Update"]>;

/** Somebody takes the job at `now`: one that is queued, or whose holder has been gone since its lease ended. */
export function claimWrite(table: string, ids: JobIds, { lease, now }: { lease: Lease; now: number }): Update {
  return change(table, ids, {
    to: "processing",
    from: ["queued", "processing"],
    set: { lease },
    only: { condition: "(#status = :queued OR #lease.#until <= :now)", values: { ":queued": "queued", ":now": now } },
  });
}

/** The holder extends its lease. */
export function renewLeaseWrite(table: string, ids: JobIds, lease: Lease): Update {
  return change(table, ids, { to: "processing", from: ["processing"], set: { lease }, only: heldBy(lease.holder) });
}

/** The holder gives the job up without an outcome. */
export function releaseJobWrite(table: string, ids: JobIds, holder: string): Update {
  return change(table, ids, { to: "queued", from: ["processing"], set: { lease: null }, only: heldBy(holder) });
}

/** The holder ends the job at `now`. A webhook that is not to be told of it is skipped. */
export function finishWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "webhook">,
  { holder, now, outcome }: { holder: string; now: number; outcome: JobOutcome },
): Update {
  return change(table, job, {
    to: outcome.status,
    from: ["processing"],
    set: ending(job, now, outcome),
    only: heldBy(holder),
  });
}

/** Ends the job, at `now`, of which whoever held it has been gone since its lease ended. */
export function abandonWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "webhook">,
  { now, outcome }: { now: number; outcome: JobOutcome },
): Update {
  return change(table, job, {
    to: outcome.status,
    from: ["processing"],
    set: ending(job, now, outcome),
    only: { condition: "#lease.#until <= :now", values: { ":now": now } },
  });
}

/**
 * The operator sends a job that failed round again, as another attempt of its capture. Its webhook tells what becomes of
 * it then.
 */
export function requeueWrite(table: string, { request, webhook, ...ids }: Job, attempt: string): Update {
  return change(table, ids, {
    to: "queued",
    from: ["failed"],
    set: {
      finished_at: null,
      error: null,
      response_time_ms: null,
      request: { ...request, allowance: { ...request.allowance, attempt } },
      ...(webhook && { webhook: restartedWebhook(webhook) }),
    },
    ...(webhook && {
      only: { condition: "#webhook.#version = :version", values: { ":version": webhook.version } },
    }),
  });
}

/** The stored result of a success is no more. */
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

function ending({ webhook }: Pick<Job, "webhook">, now: number, { status, ...outcome }: JobOutcome): Partial<Job> {
  return {
    lease: null,
    finished_at: new Date(now).toISOString(),
    ...outcome,
    ...(webhook && { webhook: completedWebhook(webhook, status) }),
  };
}

interface Condition {
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function heldBy(holder: string): Condition {
  return { condition: "#lease.#holder = :holder", values: { ":holder": holder } };
}

interface Change {
  readonly to: JobStatus;
  readonly from: readonly JobStatus[];
  readonly set: Partial<Job>;
  /** What must hold besides. */
  readonly only?: Condition;
}

/** Throws a RangeError for a transition that is not legal. */
function change(table: string, { account_id, id }: JobIds, { to, from, set, only }: Change): Update {
  const illegal = from.find((status) => !transitions[status].includes(to));
  if (illegal) throw new RangeError(`A job that is ${illegal} never becomes ${to}.`);
  const fields: [string, unknown][] = Object.entries({ status: to, ...set });
  const conditions = [`#status IN (${from.map((status) => `:from_${status}`).join(", ")})`, only?.condition];
  const expression = `SET ${fields.map(([name]) => `#${name} = :to_${name}`).join(", ")}`;
  const condition = conditions.filter((each) => each !== undefined).join(" AND ");
  return {
    TableName: table,
    Key: jobKey(account_id, id),
    UpdateExpression: expression,
    ConditionExpression: condition,
    ExpressionAttributeNames: placeholders(expression, condition),
    ExpressionAttributeValues: {
      ...Object.fromEntries(fields.map(([name, value]) => [`:to_${name}`, value])),
      ...Object.fromEntries(from.map((status) => [`:from_${status}`, status])),
      ...only?.values,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** Of every name, because DynamoDB reserves many words, `status` and `error` among them. */
function placeholders(...expressions: readonly string[]): Record<string, string> {
  const names = expressions.flatMap((expression) => expression.match(/#\w+/g) ?? []);
  return Object.fromEntries(names.map((name) => [name, name.slice(1)]));
}
