// The list of captures as a visitor reads it: new captures appear by themselves, and wait for a click while they would move what is read.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  CaptureLog,
  CaptureState,
  CaptureStates,
  UsagePage,
  UsageSearch,
} from "../../../../../clients/typescript/src/generated/types.ts";
import type { RequestError } from "../../ui/api.ts";
import { useResource } from "../../ui/use-resource.ts";
import { MAX_DELAY_RUNNING_MS, usePolling } from "../use-polling.ts";
import { rememberJobs, rememberLogs } from "./known-captures.ts";
import { isRunning, mayRun, runningCaptures } from "./running-capture.ts";

export type CaptureList = UsagePage | UsageSearch;

interface FeedOptions {
  readonly accountId: number;
  /** Of the list, with its query. */
  readonly path: string;
  readonly filters: URLSearchParams;
  /** True for the first page, which new captures are on. */
  readonly isNewest: boolean;
  /** True while the visitor reads the list, so that nothing may move. */
  readonly isReading: () => boolean;
}

/** The list and the jobs that are shown, which can be older than those that were read last. */
interface Snapshot {
  readonly list: CaptureList;
  readonly running: readonly CaptureState[];
}

/** An asynchronous capture above the list: it has a log once it has ended. */
export interface RunningEntry {
  readonly job: CaptureState;
  readonly log: CaptureLog | undefined;
}

export interface CaptureFeed {
  readonly list: CaptureList | undefined;
  readonly running: readonly RunningEntry[];
  /** Captures that have arrived since, and wait to be shown. */
  readonly newCount: number;
  readonly error: RequestError | undefined;
  readonly showNew: () => void;
  /** Reads again, and shows what was read. */
  readonly refresh: () => void;
}

/** What was shown last, for a visitor who comes back to the list. Another account can have signed in meanwhile. */
let lastShown: { readonly accountId: number; readonly path: string; readonly snapshot: Snapshot } | undefined;

export function useCaptureFeed({ accountId, path, filters, isNewest, isReading }: FeedOptions): CaptureFeed {
  const list = useResource<CaptureList>(path);
  const wantsJobs = isNewest && mayRun(filters);
  const limit = filters.has("asynchronous") ? 100 : 25;
  const jobs = useResource<CaptureStates>(`/api/v1/jobs?limit=${limit}`, wantsJobs);
  const [shown, setShown] = useState(() =>
    lastShown?.accountId === accountId && lastShown.path === path ? lastShown.snapshot : undefined,
  );
  const shownPath = useRef(path);
  const mustShow = useRef(false);

  // A list of other filters is shown at once.
  useLayoutEffect(() => {
    if (shownPath.current !== path) mustShow.current = true;
    shownPath.current = path;
  }, [path]);

  const latest = list.data && snapshot(list.data, wantsJobs ? (jobs.data?.data ?? []) : [], filters);
  const isReady = latest !== undefined && (!wantsJobs || jobs.data !== undefined || jobs.error !== undefined);
  useLayoutEffect(() => {
    if (!latest || !isReady) return;
    const moves = shown !== undefined && order(shown).join() !== order(latest).join();
    if (moves && !mustShow.current && isReading()) return;
    if (shown?.list !== latest.list) mustShow.current = false;
    if (!mustShow.current) lastShown = { accountId, path, snapshot: latest };
    setShown(latest);
  }, [list.data, jobs.data, isReady]);

  useEffect(() => {
    rememberJobs(jobs.data?.data ?? []);
    rememberLogs(list.data?.data.map(({ id }) => id) ?? []);
  }, [jobs.data, list.data]);

  const isAnyRunning = latest?.running.some(isRunning) ?? false;
  const poll = () => {
    list.refresh();
    jobs.refresh();
  };
  usePolling(poll, {
    isEnabled: isNewest,
    found: latest ? describe(latest) : "",
    ...(isAnyRunning && { maxDelayMs: MAX_DELAY_RUNNING_MS }),
  });

  const logs = new Map(latest?.list.data.map((log) => [log.id, log]));
  const states = new Map(jobs.data?.data.map((job) => [job.request_id, job]));
  const hasFailed = list.error !== undefined && list.data === undefined;
  return {
    list: hasFailed ? undefined : shown?.list,
    running: (shown?.running ?? []).map((job) => ({
      job: states.get(job.request_id) ?? job,
      log: logs.get(job.request_id),
    })),
    newCount: shown && latest && isReady ? countNew(shown, latest) : 0,
    error: list.error,
    showNew: () => latest && setShown(latest),
    refresh: () => {
      mustShow.current = true;
      poll();
    },
  };
}

function snapshot(list: CaptureList, jobs: readonly CaptureState[], filters: URLSearchParams): Snapshot {
  const listed = new Set(list.data.map(({ id }) => id));
  return { list, running: runningCaptures(jobs, { listed, filters, now: Date.now() }) };
}

/** The ids of the captures from top to bottom. */
function order({ list, running }: Snapshot): readonly number[] {
  return [...running.map(({ request_id }) => request_id), ...list.data.map(({ id }) => id)];
}

/** Captures that would be added above those that are shown. */
function countNew(shown: Snapshot, latest: Snapshot): number {
  const known = new Set(order(shown));
  const oldest = shown.list.data.at(-1)?.id ?? 0;
  return order(latest).filter((id) => id > oldest && !known.has(id)).length;
}

function describe({ list, running }: Snapshot): string {
  return [list.data[0]?.id, ...running.map(({ request_id, status }) => `${request_id} ${status}`)].join();
}
