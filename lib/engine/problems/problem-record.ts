// The problems that a capture has so far: each code once, with bounded texts.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { MAX_PROBLEM_CHARACTERS, MAX_PROBLEMS, type Problem } from "../../contract/problems/problem.ts";
import { type ProblemCode, type ProblemKind, problemKinds } from "../../contract/problems/problem-kinds.ts";
import type { Finding } from "./problem-rule.ts";

/** A problem, and what it takes from a quality of 100. */
export interface RatedProblem extends Problem {
  readonly penalty: number;
}

/** The page that collects problems, and the warnings that some of them are, too. */
export interface JudgedCapture {
  readonly problems: RatedProblem[];
  readonly warnings: string[];
}

/**
 * Adds a finding to the problems. One of the same code stays, unless it takes less from the quality. The first fix that is
 * not in effect is suggested; without `options`, the first one.
 */
export function addProblem(
  { problems, warnings }: JudgedCapture,
  code: ProblemCode,
  finding: Finding,
  options?: EngineOptions,
): void {
  const kind: ProblemKind = problemKinds[code];
  const [least] = [kind.penalty].flat();
  const problem: RatedProblem = {
    code,
    severity: finding.severity ?? kind.severity,
    message: shortened(finding.message),
    fix: finding.fixes?.find((fix) => !isInEffect(fix, options)) ?? null,
    evidence: boundedEvidence(finding.evidence),
    penalty: finding.penalty ?? least ?? 0,
  };
  if (finding.isWarned && !warnings.includes(finding.message)) warnings.push(finding.message);
  const same = problems.findIndex((each) => each.code === code);
  if (same < 0) problems.push(problem);
  else if ((problems[same]?.penalty ?? 0) < problem.penalty) problems[same] = problem;
}

/** The problems as callers get them, the worst first. */
export function listProblems(problems: readonly RatedProblem[]): Problem[] {
  const worstFirst = problems.toSorted((one, other) => other.penalty - one.penalty);
  return worstFirst.slice(0, MAX_PROBLEMS).map(({ penalty: _, ...problem }) => problem);
}

function isInEffect(fix: Readonly<Record<string, unknown>>, options: EngineOptions | undefined): boolean {
  if (!options) return false;
  const current: Readonly<Record<string, unknown>> = { ...options };
  return Object.entries(fix).every(([name, value]) => {
    const set = current[name];
    return typeof value === "number" && typeof set === "number" && name === "delay" ? set >= value : isSame(set, value);
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function boundedEvidence(evidence: Problem["evidence"]): Problem["evidence"] {
  const { selector, text, ...rest } = evidence;
  return {
    ...(selector && { selector: shortened(selector) }),
    ...(text && { text: shortened(text) }),
    ...rest,
  };
}

function shortened(text: string): string {
  return (text.length > MAX_PROBLEM_CHARACTERS ? `${text.slice(0, MAX_PROBLEM_CHARACTERS - 1)}…` : text).toWellFormed();
}
