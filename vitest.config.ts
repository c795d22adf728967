import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: "forks" as const,
  // What is polled for comes soon, but not within vitest's own second on a machine that is busy.
  expect: { poll: { timeout: 15_000 } },
};

export default defineConfig({
  test: {
    // One more than there are cores: captures wait for pages half of their time.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", "./test/support/plain-reporter.ts"],
    projects: [
      {
        test: { ...shared, name: "units", include: ["test/**/*.test.ts"], exclude: ["test/{service,start,chaos}/**"] },
      },
      {
        // One running service for all of these files; it is started here, so that none of them waits for it twice.
        test: {
          ...shared,
          name: "service",
          include: ["test/service/**/*.test.ts"],
          globalSetup: ["test/support/running-service.ts"],
        },
      },
      {
        // `npm start` itself, as a person runs it, and services of their own in which much goes wrong.
        test: {
          ...shared,
          name: "start",
          include: ["test/{start,chaos}/**/*.test.ts"],
          globalSetup: ["test/support/ready-assembly.ts"],
          testTimeout: 90_000,
        },
      },
    ],
  },
});
