// Exit codes of the command line, by the kind of error.
import { ApiError, ConnectionError, TimeoutError } from "../api-error.ts";
import { blames } from "../generated/command-line.ts";
import type { ErrorCode } from "../generated/types.ts";
import { UsageError } from "./usage-error.ts";

export const exitCodes = {
  success: 0,
  failed: 1,
  usage: 2,
  access: 3,
  limit: 4,
  page: 5,
  timeout: 6,
  service: 7,
  problem: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each exit code means, for the help. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "success",
  1: "something else failed, such as writing a file; or several captures failed for different reasons",
  2: "the command or an option is wrong",
  3: "the API key is missing, invalid, or lacks a scope",
  4: "a quota or the rate limit is used up",
  5: "the page can't be captured",
  6: "the time is up",
  7: "the service can't be reached, or failed",
  8: "a capture has a problem, with --fail-on-problem",
  130: "interrupted with Ctrl-C",
};

const exceptions: Partial<Record<ErrorCode, ExitCode>> = {
  UNAUTHORIZED: exitCodes.access,
  FORBIDDEN: exitCodes.access,
  QUOTA_EXCEEDED: exitCodes.limit,
  RATE_LIMITED: exitCodes.limit,
  FREE_FAILURES_USED: exitCodes.limit,
  CAPACITY: exitCodes.limit,
  CAPTURE_TIMEOUT: exitCodes.timeout,
};

const byBlame = { caller: exitCodes.usage, target: exitCodes.page, us: exitCodes.service } as const;

export function exitCode(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof TimeoutError) return exitCodes.timeout;
  if (error instanceof ConnectionError) return exitCodes.service;
  if (error instanceof ApiError) return exceptions[error.code] ?? byBlame[blames[error.code] ?? "us"];
  return exitCodes.failed;
}

/** The exit code of several captures: the one that all failures share. */
export function combinedExitCode(codes: readonly ExitCode[]): ExitCode {
  const failures = [...new Set(codes)].filter((code) => code !== exitCodes.success);
  return failures.length > 1 ? exitCodes.failed : (failures[0] ?? exitCodes.success);
}
