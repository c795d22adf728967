// Cleanup at the end of a test file, and whether tests of it are still to start. The setup file drives it; outside of a test
// run, such as in a script that uses the test support, there is no test file.

let cleanups: (() => Promise<void>)[] | undefined;
let areTestsWaiting = false;

/** Called by the setup file before the modules of a test file are loaded. */
export function startTestFile(): void {
  cleanups = [];
}

/** Whether this module was loaded by a test file, whose end runs the cleanups. */
export function isInTestFile(): boolean {
  return cleanups !== undefined;
}

/** Runs `cleanup` when all tests and hooks of this test file have run. A cleanup that rejects fails the file. */
export function afterTestFile(cleanup: () => Promise<void>): void {
  cleanups?.push(cleanup);
}

/** Called by the setup file when all tests and hooks of the file have run: the last cleanup first. */
export async function endTestFile(): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanup of cleanups?.splice(0).reverse() ?? []) await cleanup().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, "Cleanups failed.");
}

/** Called by the setup file when a test starts: whether others of the file are still to start. */
export function setWaitingTests(areWaiting: boolean): void {
  areTestsWaiting = areWaiting;
}

/** True while tests of this file are still to start. */
export function hasWaitingTests(): boolean {
  return areTestsWaiting;
}
