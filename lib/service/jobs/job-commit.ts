// Commits the end of a job: with the commit of its last output, or after it.

import { type ApiError, errorBody } from "../../contract/errors/api-error.ts";
import { transactRequired } from "../aws/transaction.ts";
import type { CaptureCommit } from "../captures/capture-commit.ts";
import type { Environment } from "../platform/environment.ts";
import { supportAddress } from "../platform/operator-identity.ts";
import { NotRecordedError, type TransactionItem } from "../usage/usage-store.ts";
import type { Job, OutputOutcome } from "./job.ts";
import { commitWrite, type JobEnder, type JobOutcome } from "./job-writes.ts";
import { releaseSlotWrites } from "./slot-store.ts";

type JobTables = Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE">;

/**
 * The outcome of the output that a capture is, if it belongs to a job. With the last one, the job ends and releases its slot. Nothing is
 * recorded when another worker holds the job by now.
 */
export function jobCommitWrites(commit: CaptureCommit, { ACTIVITY_TABLE, USAGE_TABLE }: JobTables): TransactionItem[] {
  if (!commit.job) return [];
  const { job, by, error, output } = commit.job;
  const { index, loads, endsJob } = output;
  const outcome = outputOutcome(commit);
  const outcomes = job.outputs.map((other, place) => (place === index ? outcome : other.outcome));
  const ended = endsJob ? jobOutcome(job, outcomes, { error, responseTimeMs: commit.responseTimeMs }) : undefined;
  const parts = { by, now: commit.endedAt, output: { index, outcome, loads }, job: ended };
  const slot = ended ? releaseSlotWrites(USAGE_TABLE, job) : [];
  return [
    { write: { Update: commitWrite(ACTIVITY_TABLE, job, parts) }, isRequired: true },
    ...slot.map((write) => ({ write })),
  ];
}

function outputOutcome({ requestId, error, result, job, cache }: CaptureCommit): OutputOutcome {
  if (error) return failedOutcome(error, requestId);
  if (!result?.stored) throw new Error("The result of a job is always stored.");
  const { mime_type, size_bytes, expires_at } = result.stored;
  const stored = { mime_type, size_bytes, expires_at, stored: job?.packed, cache_hash: cache?.key ?? null };
  return { status: "success", result: stored, from_cache: result.fromCache, error: null };
}

/** How an output ends that has failed. */
export function failedOutcome(error: ApiError, requestId: number): OutputOutcome {
  return { status: "failed", result: null, from_cache: false, error: storableError(error, requestId) };
}

interface Ending {
  /** Why the job ends before all outputs were attempted; undefined when they were. */
  readonly error?: ApiError | undefined;
  readonly responseTimeMs: number | null;
}

/** How a job with these outcomes ends: as failed with `error`, or with the first error if all outputs failed; as a success otherwise. */
export function jobOutcome(
  { id }: Pick<Job, "id">,
  outcomes: readonly (OutputOutcome | null)[],
  { error, responseTimeMs }: Ending,
): JobOutcome {
  const duration = { response_time_ms: responseTimeMs };
  if (error) return { status: "failed", error: storableError(error, id), ...duration };
  if (outcomes.includes(null)) throw new Error("An output of the job has not ended.");
  const successes = outcomes.filter((outcome) => outcome?.status === "success");
  if (successes.length === 0) return { status: "failed", error: outcomes[0]?.error ?? null, ...duration };
  return { status: "success", from_cache: successes.every((outcome) => outcome?.from_cache), ...duration };
}

/**
 * Ends a job whose outputs have all ended, as one whose worker was killed before it ended the job. Throws `NotRecordedError` when another
 * worker holds or has ended it.
 */
export async function commitJob(
  job: Job,
  { by, ...ending }: Ending & { readonly by: JobEnder },
  { ACTIVITY_TABLE, USAGE_TABLE }: JobTables,
): Promise<void> {
  const outcomes = job.outputs.map(({ outcome }) => outcome);
  const parts = { by, now: Date.now(), job: jobOutcome(job, outcomes, ending) };
  const Update = commitWrite(ACTIVITY_TABLE, job, parts);
  if (!(await transactRequired({ Update }, releaseSlotWrites(USAGE_TABLE, job)))) throw new NotRecordedError();
}

/** The JSON body of an error as a job stores it: DynamoDB refuses lone surrogates, and an error may quote a page. */
function storableError(error: ApiError, requestId: number): Record<string, unknown> {
  const wellFormed = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  return JSON.parse(JSON.stringify(errorBody(error, requestId, supportAddress()), wellFormed));
}
