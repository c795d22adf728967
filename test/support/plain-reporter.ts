// Vitest reporter that ends a run with one machine-readable line, behind what this machine can't test and the tests of all
// projects that needed a second attempt. In CI, those are in a file, too, which is kept as an artifact.
import { resolve } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { clearCpuTimes, summarizeCpuTimes } from "./cpu-times.ts";
import { type RepeatedTest, summaryLines, writeSummary } from "./second-attempts.ts";

const SUMMARY = resolve(import.meta.dirname, "../../.local/second-attempts.txt");

/** In CI, the run names so many of its dearest files. All of them are in `.local/cpu-times.txt`. */
const LISTED_FILES = 10;

export default class PlainReporter implements Reporter {
  onTestRunStart(): void {
    clearCpuTimes();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot even be loaded has no tests to fail.
    const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
    const skipped = count("skipped");
    const failed = count("failed") + broken + errors.length;
    const repeated = tests.flatMap((test) => repeatedTest(test) ?? []);
    const missing = new Set(tests.flatMap((test) => skipReason(test) ?? []));
    const isInCi = Boolean(process.env["CI"]);
    if (isInCi) writeSummary(SUMMARY, repeated);
    process.on("exit", () => {
      for (const subject of [...missing].toSorted()) console.log(`Not tested here: ${subject}.`);
      const cpuTimes = summarizeCpuTimes(LISTED_FILES);
      if (isInCi) for (const line of cpuTimes) console.log(line);
      if (isInCi || repeated.length > 0) for (const line of summaryLines(repeated)) console.log(line);
      console.log(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    });
  }
}

/** A test that passed at a further attempt; undefined for any other. */
function repeatedTest(test: TestCase): RepeatedTest | undefined {
  const { flaky = false, retryCount = 0 } = test.diagnostic() ?? {};
  if (!flaky) return undefined;
  const { project, module, fullName } = test;
  return {
    test: `${project.name}: ${module.relativeModuleId} > ${fullName}`,
    attempts: retryCount + 1,
    errors: (test.result().errors ?? []).map(({ message }) => message),
  };
}

/** The note of a test that skipped itself. */
function skipReason(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? result.note : undefined;
}
