// The job state machine as DynamoDB updates: each ConditionExpression admits only legal transitions and the lease
// holder.
import { itemUpdate } from "../aws/items.ts";
import { jobKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { completedWebhook, restartedWebhook } from "../webhooks/webhook.ts";
import { isFault, type Job, type JobIds, type JobOutput, type OutputOutcome, transitions } from "./job.ts";
import { outputPaths, toJobItem } from "./job-item.ts";
import type { JobItem, JobStatus } from "./job-schema.ts";

/** The worker that holds a job, and until when in milliseconds since 1970. */
export type JobLease = NonNullable<Job["lease"]>;

/** Outcome of a job. */
export type JobOutcome =
  | ({ readonly status: "success" } & Pick<Job, "from_cache" | "response_time_ms">)
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
 * Who may end a job: the worker that holds it; anyone, once the lease of its worker has expired (`abandoned`); or anyone, while no
 * worker holds it (`waiting`).
 */
export type JobEnder = { readonly holder: string } | "abandoned" | "waiting";

/** What one update commits: the outcome of a job, of one of its outputs, or of both. */
interface CommitParts {
  readonly by: JobEnder;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The output that ends. @default none */
  readonly output?: OutputCommit;
  /** How the job ends, after its last output or with it. @default it goes on */
  readonly job?: JobOutcome | undefined;
}

export interface OutputCommit {
  /** Its index among the outputs of the job. */
  readonly index: number;
  readonly outcome: OutputOutcome;
  /** How often the page was loaded for the outputs of the job until then. */
  readonly loads: number;
}

type EndableJob = Pick<Job, "account_id" | "id" | "webhook" | "outputs">;

/**
 * Commits the outcome of a job, of one of its outputs, or of both. An output ends once. A webhook that excludes the outcome of the job is
 * skipped. A job that is to be cancelled cannot succeed any more, so that nothing is billed after its account was told so.
 */
export function commitWrite(table: string, job: EndableJob, parts: CommitParts): Update {
  const { now, output, job: outcome } = parts;
  const { from, condition } = mayEnd(parts);
  const expressions = [
    outcome
      ? transition({ to: outcome.status, from, set: endFields(job, now, outcome), condition })
      : { set: [], values: {}, conditions: [isIn(from), condition] },
    ...(output ? [outputCommit(job, output)] : []),
  ];
  return update(table, job, {
    set: expressions.flatMap(({ set }) => set),
    values: Object.assign({}, ...expressions.map(({ values }) => values)),
    conditions: expressions.flatMap(({ conditions }) => conditions),
  });
}

function outputCommit(job: EndableJob, { index, outcome, loads }: OutputCommit): Expressions {
  const paths = outputPaths(job, index);
  if (paths.outcome === undefined)
    return { set: [`${paths.result} = :result`], values: { ":result": outcome.result }, conditions: [] };
  return {
    set: [`${paths.outcome} = :output`, "#loads = :loads"],
    values: { ":output": outcome, ":loads": loads },
    conditions: [{ expression: `${paths.outcome} = :unset`, values: { ":unset": null } }],
  };
}

/** The condition under which a job may be ended. */
function mayEnd({ by, now, output, job }: CommitParts): Pick<Change, "from"> & { readonly condition: Condition } {
  if (by === "waiting") return { from: ["queued", "processing"], condition: isFree(now) };
  if (by === "abandoned")
    return { from: ["processing"], condition: { expression: "#lease.#until <= :now", values: { ":now": now } } };
  const isHeld = heldBy(by.holder);
  const isSuccess = job?.status === "success" || output?.outcome.status === "success";
  return { from: ["processing"], condition: isSuccess ? both(isHeld, NOT_CANCELLED) : isHeld };
}

/** Who cancels a job: its account, or the operator, who has suspended the account. */
export type CancelledBy = "account" | "operator";

/**
 * Marks a job that a worker holds as to be cancelled, unless that delivers its result already; the worker polls for the mark. `at` is a
 * timestamp.
 */
export function requestCancellationWrite(
  table: string,
  ids: JobIds,
  { at, by }: { readonly at: string; readonly by: CancelledBy },
): Update {
  const set = { cancel_requested_at: at, ...(by === "operator" && { cancelled_by: by }) };
  return change(table, ids, { to: "processing", from: ["processing"], set, condition: isUnset("delivery_started_at") });
}

/** The holder marks that it begins to deliver a result, unless the job is to be cancelled. `at` is a timestamp. */
export function startDeliveryWrite(
  table: string,
  ids: JobIds,
  { holder, at }: { readonly holder: string; readonly at: string },
): Update {
  const condition = both(heldBy(holder), NOT_CANCELLED);
  return change(table, ids, { to: "processing", from: ["processing"], set: { delivery_started_at: at }, condition });
}

/**
 * Requeues a failed job as a new attempt of its capture, or of the outputs that failed because of the service, and restarts its webhook.
 * Optimistic locking on the webhook's version.
 */
export function requeueWrite(table: string, job: Job, reservationId: string): Update {
  const { request, outputs } = toJobItem({ ...job, outputs: withNewReservations(job.outputs, reservationId) });
  const { webhook } = job;
  return change(table, job, {
    to: "queued",
    from: ["failed"],
    set: {
      finished_at: null,
      error: null,
      attempts: 0,
      cancel_requested_at: null,
      delivery_started_at: null,
      slot: null,
      response_time_ms: null,
      request,
      outputs,
      ...(webhook && { webhook: restartedWebhook(webhook) }),
    },
    ...(webhook && {
      condition: { expression: "#webhook.#version = :version", values: { ":version": webhook.version } },
    }),
  });
}

/** Each output has a reservation of its own: the first one has this id, and the others have the id with their index. */
function withNewReservations([first, ...others]: Job["outputs"], reservationId: string): Job["outputs"] {
  const again = (output: JobOutput, own: string): JobOutput => {
    const { outcome, allowance } = output;
    const isAgain = outcome?.error && isFault(outcome.error);
    return { ...output, allowance: { ...allowance, attempt: own }, outcome: isAgain ? null : outcome };
  };
  return [again(first, reservationId), ...others.map((output, index) => again(output, `${reservationId}${index + 1}`))];
}

/** Marks the stored result of an output, by its index, as deleted. */
export function clearResultWrite(
  table: string,
  job: Pick<Job, "account_id" | "id" | "outputs">,
  index: number,
): Update {
  const { result } = outputPaths(job, index);
  return update(table, job, {
    set: [`${result}.#stored = :nothing`],
    values: { ":nothing": null },
    conditions: [{ expression: `attribute_exists(${result}.#stored)`, values: {} }],
  });
}

function endFields(
  { webhook }: Pick<Job, "webhook">,
  now: number,
  { status, ...outcome }: JobOutcome,
): Partial<JobItem> {
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
function isUnset(attribute: "cancel_requested_at" | "delivery_started_at"): Condition {
  return {
    expression: `(attribute_not_exists(#${attribute}) OR #${attribute} = :none)`,
    values: { ":none": null },
  };
}

const NOT_CANCELLED = isUnset("cancel_requested_at");

function both(one: Condition, other: Condition): Condition {
  return { expression: `${one.expression} AND ${other.expression}`, values: { ...one.values, ...other.values } };
}

interface Change {
  readonly to: JobStatus;
  readonly from: readonly JobStatus[];
  readonly set: Partial<JobItem>;
  readonly add?: Partial<Pick<Job, "attempts">>;
  /** Additional condition. */
  readonly condition?: Condition;
}

/** The update of a transition. Throws a RangeError for an illegal one. */
function change(table: string, ids: JobIds, changed: Change): Update {
  return update(table, ids, transition(changed));
}

function transition({ to, from, set, add = {}, condition }: Change): Expressions {
  const illegal = from.find((status) => !transitions[status].includes(to));
  if (illegal) throw new RangeError(`A job cannot change from ${illegal} to ${to}.`);
  const fields: [string, unknown][] = Object.entries({ status: to, ...set });
  const additions = Object.entries(add);
  return {
    set: fields.map(([name]) => `#${name} = :to_${name}`),
    add: additions.map(([name]) => `#${name} :add_${name}`),
    values: {
      ...Object.fromEntries(fields.map(([name, value]) => [`:to_${name}`, value])),
      ...Object.fromEntries(additions.map(([name, value]) => [`:add_${name}`, value])),
    },
    conditions: [isIn(from), ...(condition ? [condition] : [])],
  };
}

function isIn(statuses: readonly JobStatus[]): Condition {
  return {
    expression: `#status IN (${statuses.map((status) => `:from_${status}`).join(", ")})`,
    values: Object.fromEntries(statuses.map((status) => [`:from_${status}`, status])),
  };
}

interface Expressions {
  readonly set: readonly string[];
  readonly add?: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly conditions: readonly Condition[];
}

function update(table: string, { account_id, id }: JobIds, { set, add = [], values, conditions }: Expressions): Update {
  return itemUpdate(table, jobKey(account_id, id), {
    update: [`SET ${set.join(", ")}`, ...add.map((addition) => `ADD ${addition}`)].join(" "),
    condition: conditions.map(({ expression }) => expression).join(" AND "),
    values: Object.assign({ ...values }, ...conditions.map((condition) => condition.values)),
  });
}
