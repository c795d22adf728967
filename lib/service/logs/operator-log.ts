// What the operator's page knows from the logs of the functions: the lines of a request, and the captures of a day. The log of a deployed
// stage is in CloudWatch, that of this machine in files.
import type { LogLine } from "./log-line.ts";

/** Customers' captures of some time. */
export interface CaptureSummary {
  /** With those from the cache, and failed ones. */
  readonly captures: number;
  /** How many failed, the most frequent code first. */
  readonly failures: readonly CaptureFailures[];
  /** Milliseconds from the request to the outcome that half of the captures, and 95 % of them, don't exceed. Null without captures. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Execution environments in which Chromium rendered for the first time; where functions run it themselves, those that captured. */
  readonly rendererStarts: number;
}

export interface CaptureFailures {
  readonly code: string;
  readonly blame: string;
  readonly count: number;
}

export interface OperatorLog {
  /** The lines of a request and of its captures within a day, oldest first. Empty if there are none. Throws an `ApiError` when it takes too long. */
  findRequest(id: number): Promise<readonly LogLine[]>;
  /** Sums up the captures since a time in milliseconds since 1970. Throws an `ApiError` when it takes too long. */
  summarizeCaptures(since: number): Promise<CaptureSummary>;
}

/** The metric that counts the starts of renderers: where functions run Chromium themselves, their first captures are those. */
export type StartMetric = "RendererStarts" | "ColdStarts";
