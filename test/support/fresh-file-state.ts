// Setup file: gives each test file fresh modules, environment variables, globals and timers, because files share a worker process.
import { afterAll, vi } from "vitest";

const variables = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  vi.resetModules();
});
