// Mutation testing: breaks one rule after the other in a copy of the checkout, and runs the tests that must notice.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyCheckout } from "./checkout-copy.ts";
import { applyMutation, type Mutation } from "./mutation.ts";
import { type FailedTest, runTests } from "./run-tests.ts";

export type MutationVerdict =
  /** A test fails because of the patch. */
  | "caught"
  | "NOT CAUGHT"
  /** The text before isn't in the file exactly once. */
  | "no longer applies"
  /** The tests fail without the patch, too, or there are none: they say nothing about it. */
  | "tests fail without it";

export interface MutationOutcome {
  readonly mutation: Mutation;
  readonly verdict: MutationVerdict;
  /** The test that fails because of the patch, or without it. */
  readonly test: FailedTest | undefined;
  readonly seconds: number;
}

/** Runs the mutations one by one. Calls `report` with each when it ends. */
export async function runMutations(
  project: string,
  mutations: readonly Mutation[],
  report: (outcome: MutationOutcome) => void,
): Promise<readonly MutationOutcome[]> {
  using copy = copyCheckout(project);
  const outcomes: MutationOutcome[] = [];
  for (const mutation of mutations) {
    const startedAt = performance.now();
    const outcome = await runMutation(copy.folder, mutation);
    outcomes.push({ mutation, ...outcome, seconds: (performance.now() - startedAt) / 1000 });
    report(outcomes.at(-1) as MutationOutcome);
  }
  return outcomes;
}

async function runMutation(folder: string, mutation: Mutation): Promise<Pick<MutationOutcome, "verdict" | "test">> {
  const path = join(folder, mutation.file);
  const text = readFileSync(path, "utf8");
  const patched = applyMutation(text, mutation);
  if (patched === undefined) return { verdict: "no longer applies", test: undefined };
  writeFileSync(path, patched);
  const test = await findFailure(folder, mutation).finally(() => writeFileSync(path, text));
  if (!test) return { verdict: "NOT CAUGHT", test };
  // A test that fails anyway has caught nothing.
  const whole = await runTests(folder, { ...mutation, tests: [test.file] }, test.name);
  const [failing] = whole.failed;
  return failing || whole.passed === 0
    ? { verdict: "tests fail without it", test: failing }
    : { verdict: "caught", test };
}

/** The first test that fails. One that times out, or a hook, may do so because the machine is busy: the tests run a second time then. */
async function findFailure(folder: string, mutation: Mutation): Promise<FailedTest | undefined> {
  const [first] = (await runTests(folder, mutation)).failed;
  if (!first || (first.name !== undefined && !/timed? ?out/i.test(first.error))) return first;
  const [second] = (await runTests(folder, mutation)).failed;
  return second;
}

/** True when no mutation needs a change of the tests or of its patch. */
export function areAllCaught(outcomes: readonly MutationOutcome[]): boolean {
  return outcomes.every(({ verdict }) => verdict === "caught");
}
