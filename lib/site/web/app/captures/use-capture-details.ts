// Reads a capture for its page: its log with details, and the job of an asynchronous one. While a capture is queued or processed it has no
// log, so that its job is read until it has ended.
import { useEffect, useState } from "preact/hooks";
import type {
  CaptureDetails,
  CaptureState,
  CaptureStates,
  UsageSearch,
} from "../../../../../clients/typescript/src/generated/types.ts";
import type { RequestError } from "../../ui/api.ts";
import { useResource } from "../../ui/use-resource.ts";
import { MAX_DELAY_RUNNING_MS, usePolling } from "../use-polling.ts";
import { knownState } from "./known-captures.ts";
import { isRunning } from "./running-capture.ts";

export interface LoadedCapture {
  /** Undefined while it is read, and for a capture without a log. */
  readonly log: CaptureDetails | undefined;
  /** Undefined while it is read, for a synchronous capture, and for one whose state isn't kept any more. */
  readonly job: CaptureState | undefined;
  /** True when the account has no such capture. */
  readonly isUnknown: boolean;
  readonly error: RequestError | undefined;
  readonly reload: () => void;
}

export function useCaptureDetails(id: number): LoadedCapture {
  const [known] = useState(() => knownState(id));
  // The lists have no filter by id: the newest entry that isn't newer than the id is the one, if it exists.
  const newest = `before=${id + 1}&limit=1`;
  const search = useResource<UsageSearch>(`/api/v1/usage/search?${newest}`, known === undefined);
  const isListed = known === "logged" || search.data?.data[0]?.id === id;
  const [hasEnded, setEnded] = useState(false);
  const details = useResource<CaptureDetails>(`/api/v1/usage/${id}`, isListed || hasEnded);
  const isQueuedOrGone = known === "running" || (search.data !== undefined && !isListed);
  const jobs = useResource<CaptureStates>(
    `/api/v1/jobs?${newest}`,
    isQueuedOrGone || details.data?.asynchronous === true,
  );
  const [found] = jobs.data?.data ?? [];
  const job = found?.request_id === id ? found : undefined;
  const isJobRunning = job !== undefined && isRunning(job);
  const isOver = jobs.data !== undefined && !isJobRunning && job?.error?.code !== "CANCELLED"; // which has no log
  useEffect(() => setEnded(isOver), [isOver]);
  usePolling(jobs.refresh, {
    isEnabled: isJobRunning || job?.webhook?.status === "pending",
    found: job ? [job.status, job.webhook?.deliveries.length].join() : "",
    ...(isJobRunning && { maxDelayMs: MAX_DELAY_RUNNING_MS }),
  });
  const isMissing = details.error?.status === 404;
  return {
    log: details.data,
    job,
    isUnknown: isMissing && !job,
    error: search.error ?? jobs.error ?? (isMissing ? undefined : details.error),
    reload: () => {
      search.reload();
      jobs.reload();
      details.reload();
    },
  };
}
