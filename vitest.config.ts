import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { defineConfig } from "vitest/config";
import { installPackages, TESTS } from "./lib/tools/test-packages.ts";

installPackages(TESTS);

// Worker processes of glibc's malloc keep what captures have freed, and a process takes longer to launch Chromium the larger it is
// (fork copies its page tables): one arena, and large blocks are returned to the system.
process.env["MALLOC_ARENA_MAX"] ??= "1";
process.env["MALLOC_MMAP_THRESHOLD_"] ??= "131072";
process.env["MALLOC_TRIM_THRESHOLD_"] ??= "131072";

/** Packages of the tests, which have tests of their own. */
const PACKAGES = "**/node_modules/**";

const temporaryFolder = "test/support/temporary-folder.ts";
const shared = {
  // Most tests take less than a second; on a machine that is slow, or busy with other work, they take twenty times as long.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  // In CI, a machine that stands still for seconds must not refuse a change: a test has two attempts there, and the
  // run ends with the number and the names of the tests that needed the second one.
  retry: process.env["CI"] ? 1 : 0,
  // A worker process runs file after file: it starts once and loads packages once. The setup file keeps files independent.
  pool: "forks" as const,
  isolate: false,
  // Tests that wait for a page run at the same time as others of their file; each capture has a browser of its own.
  maxConcurrency: 3,
  setupFiles: ["test/support/fresh-file-state.ts"],
  // Bundles the page scripts, which no test changes: loaded by Node.js, it stays in a worker process, and does it once there.
  server: { deps: { external: [/\/page\/build-injected-scripts\.ts$/] } },
  // What is polled for comes soon, but not within vitest's own second on a machine that is busy.
  expect: { poll: { timeout: 30_000 } },
};

/** End-to-end tests of what a page shows. */
const REAL_CAPTURES = "test/end-to-end/captures/**/*.test.ts";

/** The files of the slow run: see `test/support/slow-run.ts`. */
const SLOW_FILES = "test/**/*.slow.test.ts";
const slowFiles = () =>
  globSync("test/**/*.test.{ts,tsx}", { exclude: [PACKAGES] }).filter(
    (file) => file.endsWith(".slow.test.ts") || readFileSync(file, "utf8").includes("/slow-run.ts"),
  );
/** True for the files of the project `service`, which the fake renderer serves. */
const needsNoChromium = (file: string) => dirname(file) === "test/end-to-end";

const ordinaryProjects = [
  {
    test: {
      ...shared,
      name: "units",
      include: ["test/**/*.test.ts"],
      exclude: ["test/{end-to-end,start,site/web,tools/stress}/**", SLOW_FILES, PACKAGES],
      globalSetup: [temporaryFolder],
    },
  },
  {
    // The API over HTTP, without Chromium: what is tested is not what a page shows, so a fake renderer answers at once. One running
    // service for all of these files; it is started here, so that none of them waits for it twice.
    test: {
      ...shared,
      name: "service",
      include: ["test/end-to-end/**/*.test.ts"],
      exclude: [REAL_CAPTURES, SLOW_FILES],
      globalSetup: [temporaryFolder, "test/support/fake-renderer/running-service.ts"],
    },
  },
  {
    // The API over HTTP, with Chromium: the contract between the service and what renders for it.
    test: {
      ...shared,
      name: "captures",
      include: [REAL_CAPTURES],
      exclude: [SLOW_FILES],
      globalSetup: [temporaryFolder, "test/support/running-service.ts"],
    },
  },
  {
    // The website in a real browser, from a running service of its own.
    test: {
      ...shared,
      name: "web",
      include: ["test/site/web/**/*.test.{ts,tsx}"],
      exclude: [SLOW_FILES],
      globalSetup: [temporaryFolder, "test/support/running-service.ts"],
    },
  },
  {
    // `npm start` itself, as a person runs it, and services of their own in which much goes wrong.
    test: {
      ...shared,
      name: "start",
      include: ["test/{start,tools/stress}/**/*.test.ts"],
      exclude: [SLOW_FILES],
      globalSetup: [temporaryFolder, "test/support/ready-assembly.ts"],
      testTimeout: 180_000,
    },
  },
];

/** What repeats on many pages or waits in real seconds: `npm run test:slow`, nightly and before a release. */
const slowProjects = () => [
  {
    test: {
      ...shared,
      name: "slow",
      include: slowFiles().filter((file) => !needsNoChromium(file)),
      globalSetup: [temporaryFolder, "test/support/running-service.ts", "test/support/ready-assembly.ts"],
      testTimeout: 180_000,
    },
  },
  {
    test: {
      ...shared,
      name: "slow-service",
      include: slowFiles().filter(needsNoChromium),
      globalSetup: [temporaryFolder, "test/support/fake-renderer/running-service.ts"],
      testTimeout: 180_000,
    },
  },
];

export default defineConfig({
  test: {
    // One worker more than there are cores keeps all cores busy; with more, tests only wait longer for each other.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", "./test/support/plain-reporter.ts"],
    projects: process.env["TEST_RUN"] === "slow" ? slowProjects() : ordinaryProjects,
  },
});
