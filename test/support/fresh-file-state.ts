// Setup file: gives each test file fresh environment variables, globals, timers, and modules of the service, because files share a worker process.
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

const ENGINE_FILES = "units: test/engine/";
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
    // The engine's modules keep no state of a capture, so they stay loaded and compiled. The service's modules keep clients.
    if (!file.startsWith(ENGINE_FILES)) vi.resetModules();
    recordCpuTime(file, startedWith);
  }
});
