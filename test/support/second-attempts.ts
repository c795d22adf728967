// Tests of a run that passed only at a further attempt: each of them is a defect to find, and not a success like the others.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface RepeatedTest {
  /** Project, file, and name. */
  readonly test: string;
  /** How often it ran until it passed. */
  readonly attempts: number;
  /** Messages of the attempts that failed. */
  readonly errors: readonly string[];
}

/** The lines that state how many tests needed a second attempt, and which. */
export function summaryLines(repeated: readonly RepeatedTest[]): string[] {
  const tests = repeated.length === 1 ? "1 test" : `${repeated.length} tests`;
  return [`${tests} needed a second attempt`, ...sorted(repeated).map(({ test }) => `  ${test}`)];
}

/** Writes the same to a file, with the number of attempts and why the first ones failed. */
export function writeSummary(path: string, repeated: readonly RepeatedTest[]): void {
  const [number = ""] = summaryLines(repeated);
  const lines = sorted(repeated).flatMap(({ test, attempts, errors }) => [
    `${test} (${attempts} attempts)`,
    ...errors.map((error) => `  ${error.trim().replaceAll("\n", "\n  ")}`),
  ]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${[number, ...lines].join("\n")}\n`);
}

function sorted(repeated: readonly RepeatedTest[]): RepeatedTest[] {
  return repeated.toSorted((one, other) => (one.test < other.test ? -1 : 1));
}
