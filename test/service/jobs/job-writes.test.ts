// Model-based test of the job state machine: random requests by several holders make legal transitions only.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { conditionFailed } from "../../../lib/service/aws/transaction.ts";
import { hasEnded, type Job, transitions } from "../../../lib/service/jobs/job.ts";
import { type JobStatus, jobStatuses } from "../../../lib/service/jobs/job-schema.ts";
import { findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import {
  claimWrite,
  commitWrite,
  type JobOutcome,
  releaseJobWrite,
  requestCancellationWrite,
  requeueWrite,
  startDeliveryWrite,
  type Update,
} from "../../../lib/service/jobs/job-writes.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { IS_SLOW_RUN, sampled } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.activity;
});
afterAll(() => running.close());

/** The fields of a job that determine its next state. */
interface Model {
  readonly status: JobStatus;
  readonly lease: { readonly holder: string; readonly until: number } | null;
  /** True once it is to be cancelled. */
  readonly isMarked: boolean;
  /** True once its result is being delivered. */
  readonly isDelivering: boolean;
}

interface Read {
  readonly update: Update;
  /** The expected state; undefined when the condition must fail. */
  readonly expected: Model | undefined;
}

const failed: JobOutcome = { status: "failed", error: {}, response_time_ms: 1 };
const succeeded: JobOutcome = { status: "success", from_cache: false, response_time_ms: 1 };

/** A random request at `now`, by one of three holders. */
function requested(job: Job, model: Model, { now, random }: { now: number; random: () => number }): Read {
  const oneOf = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const { status, lease, isMarked, isDelivering } = model;
  const holder = oneOf("a", "b", "c");
  const outcome = oneOf(failed, failed, failed, failed, failed, failed, succeeded); // which ends the random walk
  const isHeld = status === "processing" && lease?.holder === holder;
  const isExpired = status === "processing" && lease !== null && lease.until <= now;
  const when = (isPossible: boolean, next: Model) => (isPossible ? next : undefined);
  const until = now + Math.floor(random() * 4);
  return oneOf<() => Read>(
    () => ({
      update: claimWrite(table, job, { lease: { holder, until }, now }),
      expected: when(status === "queued" || isExpired, { ...model, status: "processing", lease: { holder, until } }),
    }),
    () => ({
      update: releaseJobWrite(table, job, { holder: holder, isInterrupted: false }),
      expected: when(isHeld, { ...model, status: "queued", lease: null }),
    }),
    () => ({
      update: commitWrite(table, job, { by: { holder }, now, job: outcome }),
      expected: when(isHeld && !(isMarked && outcome.status === "success"), {
        ...model,
        status: outcome.status,
        lease: null,
      }),
    }),
    () => ({
      update: commitWrite(table, job, { by: "abandoned", now, job: failed }),
      expected: when(isExpired, { ...model, status: "failed", lease: null }),
    }),
    () => ({
      update: requeueWrite(table, job, "another"),
      expected: when(status === "failed", { status: "queued", lease: null, isMarked: false, isDelivering: false }),
    }),
    () => ({
      update: requestCancellationWrite(table, job, { at: new Date(now).toISOString(), by: "account" }),
      expected: when(status === "processing" && !isDelivering, { ...model, isMarked: true }),
    }),
    () => ({
      update: startDeliveryWrite(table, job, { holder, at: new Date(now).toISOString() }),
      expected: when(isHeld && !isMarked, { ...model, isDelivering: true }),
    }),
    () => ({
      update: commitWrite(table, job, { by: "waiting", now, job: failed }),
      expected: when(status === "queued" || isExpired, { ...model, status: "failed", lease: null }),
    }),
  )();
}

async function isMade(update: Update): Promise<boolean> {
  try {
    await dynamodb().send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if (conditionFailed(error)) return false;
    throw error;
  }
}

sampled(test, 6).each([1, 2, 3, 4, 5, 6])(
  "job state machine: random requests match the model, and every transition is legal (%i)",
  async (seed) => {
    const random = seededRandom(seed);
    const job = await putJob(table, aQueuedJob());
    let model: Model = { status: "queued", lease: null, isMarked: false, isDelivering: false };
    const seen = new Set<string>();
    for (let now = 0; now < (IS_SLOW_RUN ? 300 : 120); now++) {
      const { update, expected } = requested(job, model, { now, random });
      expect(await isMade(update)).toBe(expected !== undefined);
      if (expected) {
        expect(transitions[model.status]).toContain(expected.status);
        seen.add(`${model.status} ${expected.status}`);
        model = expected;
      }
      const { status, lease, finished_at, ...stored } = (await findJob(table, job, Date.now())) as Job;
      const marks = {
        isMarked: stored.cancel_requested_at !== null,
        isDelivering: stored.delivery_started_at !== null,
      };
      expect({ status, lease, ...marks }).toEqual(model);
      expect(finished_at === null).toBe(!hasEnded(model));
      // Nothing leads out of a success.
      if (model.status === "success") model = { ...model };
    }
    expect(seen.size).toBeGreaterThan(1);
  },
);

test("job state machine: no transition leaves success, and none ends a job without a holder", () => {
  expect(transitions.success).toEqual([]);
  const before = jobStatuses.filter((status) => transitions[status].includes("success"));
  expect(before).toEqual(["processing"]);
});
