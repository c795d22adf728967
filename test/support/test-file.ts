// Cleanup at the end of each test file, and whether tests of it are still to start. The setup file drives it; outside of a test
// run, such as in a script that uses the test support, there is no test file.

const cleanups: (() => Promise<void>)[] = [];
let isInFile = false;
let areTestsWaiting = false;

/** Called by the setup file before the modules of a test file are loaded. */
export function startTestFile(): void {
  isInFile = true;
}

/** Whether this runs in a test file, whose end runs the cleanups. */
export function isInTestFile(): boolean {
  return isInFile;
}

/**
 * Runs `cleanup` when all tests and hooks of a test file have run: of this file, and of those after it that share the modules.
 * A cleanup that rejects fails the file.
 */
export function afterEachTestFile(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

/** Called by the setup file when all tests and hooks of the file have run: the last cleanup first. */
export async function endTestFile(): Promise<void> {
  isInFile = false;
  const errors: unknown[] = [];
  for (const cleanup of cleanups.toReversed()) await cleanup().catch((error) => errors.push(error));
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
