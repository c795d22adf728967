// The log event of a capture that has ended, with the details that the page of a single capture shows.
import type { CaptureCommit } from "../captures/capture-commit.ts";
import { webhookTarget } from "../jobs/job.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import type { CaptureDetails } from "./capture-details.ts";
import type { CaptureEvent } from "./capture-log.ts";

/** What the log says of a capture. A successful one has neither a status code nor a message: the contract says null. */
export function captureEvent(commit: CaptureCommit): CaptureEvent {
  const { caller, url, options, format, source_ip, responseTimeMs, error, result, job, group } = commit;
  const { account, key } = caller;
  const details = shortDetails(commit);
  return {
    user_id: account.id,
    api_key_id: key.id,
    url,
    options,
    format,
    ip_address: source_ip,
    api_key: { id: key.id, label: key.label, key_prefix: key.key_prefix },
    response_time_ms: responseTimeMs,
    status: error ? "failed" : "success",
    http_status_code: error?.target?.http_status_code ?? null,
    error_message: error ? `${error.code}: ${error.message}`.toWellFormed() : null, // it may quote a page or a caller
    file_size_bytes: result?.sizeBytes ?? 0,
    cached: result?.fromCache ?? false,
    asynchronous: job !== undefined,
    group_id: group?.id ?? null,
    output_name: group?.output ?? null,
    webhook_target: webhookTarget(job?.job),
    thumbnail: result?.thumbnail ?? null,
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** A log is one item of a table, which costs by its size. */
const MAX_WARNINGS = 10;
const MAX_CHARACTERS = 300;

/** The details to store: rounded, shortened, and without what is empty. */
function shortDetails({ phases, url, result, error, answer, ...commit }: CaptureCommit): Partial<CaptureDetails> {
  const times = Object.entries(phases).map(([name, duration]) => [name, Math.round(duration)] as const);
  const { page: { warnings = [], problems: found = [], finalUrl, metadata } = {}, stored, report } = result ?? {};
  const problems = error?.problems ?? found;
  const isElsewhere =
    finalUrl != null && finalUrl !== (URL.parse(url)?.href ?? url) && finalUrl.length <= MAX_CHARACTERS;
  return {
    ...(times.length > 0 && { phases: Object.fromEntries(times) }),
    ...(warnings.length > 0 && { warnings: warnings.slice(0, MAX_WARNINGS).map(shortened) }),
    ...(problems.length > 0 && { problems: [...problems] }),
    ...(report && { report }),
    ...(answer && { answer }),
    ...(metadata?.blocked && { blocked: { ...metadata.blocked } }),
    ...(isElsewhere && { final_url: finalUrl.toWellFormed() }),
    ...(stored && { result: loggedResult(stored, commit) }),
  };
}

/** The result of a job is deleted with its last reference, which also knows the cache entry. */
function loggedResult(
  { key, mime_type, expires_at, slices }: StoredCapture,
  { cache, cached, job }: Pick<CaptureCommit, "cache" | "cached" | "job">,
) {
  const entry = !job && cache && cached && { key: cache.key, ...("object" in cached && { facts: cached.object }) };
  return {
    key,
    mime_type,
    expires_at,
    ...(slices.length > 0 && { slices: slices.map((slice) => slice.key) }),
    ...(entry && { cached: entry }),
  };
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text.toWellFormed() : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
