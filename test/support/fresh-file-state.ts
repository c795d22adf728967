// Setup file: gives each test file fresh modules, environment variables, globals and timers, because files share a worker process.
import { afterAll, beforeEach, type RunnerTestCase, type RunnerTestSuite, vi } from "vitest";
import { cpuTime, recordCpuTime } from "./cpu-times.ts";
import { rememberVariables } from "./environment-variables.ts";
import { endTestFile, setWaitingTests, startTestFile } from "./test-file.ts";

const startedWith = cpuTime();
const restoreVariables = rememberVariables();
startTestFile();

/** True while a test other than `current` is still to start; looks from the end, where those are. */
const hasWaiting = ({ tasks }: RunnerTestSuite, current: RunnerTestCase): boolean =>
  tasks.findLast((task) =>
    task.type === "suite"
      ? hasWaiting(task, current)
      : task !== current && (task.mode === "run" || task.mode === "queued") && !task.result,
  ) !== undefined;

let file = "";
beforeEach(({ task }) => {
  file = `${task.file.projectName}: ${task.file.name}`;
  setWaitingTests(hasWaiting(task.file, task));
});

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  restoreVariables();
  try {
    await endTestFile();
  } finally {
    vi.resetModules();
    recordCpuTime(file, startedWith);
  }
});
