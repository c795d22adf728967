// Setup file: gives each test file fresh modules, environment variables, globals and timers, because files share a worker process.
import { afterAll, vi } from "vitest";
import { rememberVariables } from "./environment-variables.ts";

const restoreVariables = rememberVariables();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  restoreVariables();
  vi.resetModules();
});
