// Vitest reporter that ends a run with one machine-readable line, behind the tests that only a later attempt passed and what
// this machine can't test.
import type { Reporter, TestCase, TestModule } from "vitest/node";

export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot even be loaded has no tests to fail.
    const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
    const skipped = count("skipped");
    const failed = count("failed") + broken + errors.length;
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    const missing = new Set(tests.flatMap((test) => skipReason(test) ?? []));
    process.on("exit", () => {
      for (const test of flaky)
        console.log(`passed at a later attempt: ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const subject of [...missing].toSorted()) console.log(`Not tested here: ${subject}.`);
      console.log(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    });
  }
}

/** The note of a test that skipped itself. */
function skipReason(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? result.note : undefined;
}
