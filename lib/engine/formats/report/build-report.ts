// Builds the report of a capture from the measured work of all attempts, and the description of the one that was chosen.

import { type CaptureReport, MAX_REPORT_ENTRIES } from "../../../contract/problems/capture-report.ts";
import type { AttemptReport } from "./describe-attempt.ts";

/** A piece of work that was measured, on the clock of `performance.now()`. */
interface MeasuredStep {
  readonly phase: string;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What it waited for, in words; undefined for work that does not wait. */
  readonly awaited?: string | undefined;
  readonly outcome?: "met" | "capped" | "gave_up" | undefined;
}

export interface ReportParts {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly quality: number;
  readonly steps: readonly MeasuredStep[];
  readonly browserAttempt: AttemptReport;
  readonly attempts: CaptureReport["attempts"];
}

export function buildReport({
  startedAt,
  endedAt,
  quality,
  steps,
  browserAttempt,
  attempts,
}: ReportParts): CaptureReport {
  const at = (time: number) => Math.max(0, Math.round((time - startedAt) * 10) / 10);
  const spent = ({ startedAt: from, endedAt: to }: MeasuredStep) => Math.max(0, Math.round((to - from) * 10) / 10);
  const byPhase = Map.groupBy(steps, ({ phase }) => phase);
  return {
    quality,
    duration_ms: at(endedAt),
    phases: [...byPhase].map(([name, works]) => ({
      name,
      starts_at_ms: at(Math.min(...works.map((work) => work.startedAt))),
      duration_ms: Math.round(works.reduce((sum, work) => sum + spent(work), 0) * 10) / 10,
    })),
    steps: steps.slice(0, MAX_REPORT_ENTRIES.steps).map((step) => ({
      name: step.name,
      phase: step.phase,
      starts_at_ms: at(step.startedAt),
      duration_ms: spent(step),
    })),
    waits: steps.flatMap((step) =>
      step.outcome
        ? [{ name: step.name, waited_for: step.awaited ?? null, duration_ms: spent(step), outcome: step.outcome }]
        : [],
    ),
    ...browserAttempt,
    attempts,
  };
}
