// Runs test files with vitest in a copy of the checkout, and returns the names of the tests that failed.
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { Mutation } from "./mutation.ts";

/** The report of vitest's reporter `json`. */
const ReportSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      message: v.optional(v.string(), ""),
      assertionResults: v.array(
        v.object({
          status: v.string(),
          ancestorTitles: v.array(v.string()),
          title: v.string(),
          failureMessages: v.optional(v.array(v.string()), []),
        }),
      ),
    }),
  ),
});

export interface FailedTest {
  /** Relative to the project. */
  readonly file: string;
  /** Undefined when the file can't be loaded, or a hook of it fails. */
  readonly name: string | undefined;
  /** The first line of its error. */
  readonly error: string;
}

export interface TestRun {
  readonly passed: number;
  readonly failed: readonly FailedTest[];
}

const VITEST = "node_modules/vitest/vitest.mjs";
const MAX_OUTPUT_CHARACTERS = 4_000;

/** Runs the tests once, without further attempts, until the first one fails. With `name`, it runs the test of this full name alone. */
export async function runTests(
  folder: string,
  { project, tests }: Pick<Mutation, "project" | "tests">,
  name?: string,
): Promise<TestRun> {
  const report = join(folder, "mutation-report.json");
  rmSync(report, { force: true });
  const flags = ["--project", project, "--retry=0", "--bail=1", "--reporter=json", `--outputFile=${report}`];
  const pattern = name === undefined ? [] : [`--testNamePattern=^${RegExp.escape(name)}$`];
  const output = await run(folder, ["run", ...flags, ...pattern, ...tests]);
  return parseReport(readReport(report, output), folder);
}

/** Returns what a report of vitest says of a run in `folder`. */
export function parseReport(report: string, folder: string): TestRun {
  const { testResults } = v.parse(ReportSchema, JSON.parse(report));
  const failed = testResults.flatMap(({ name, status, message, assertionResults }): FailedTest[] => {
    const file = name.replace(`${folder}/`, "");
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map(({ ancestorTitles, title, failureMessages: [error = ""] }) => {
        const name = [...ancestorTitles, title].join(" > "); // as vitest matches names with patterns
        return { file, name, error: firstLine(error) };
      });
    const isBroken = status === "failed" && tests.length === 0;
    return isBroken ? [{ file, name: undefined, error: firstLine(message) }] : tests;
  });
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { passed: all.filter(({ status }) => status === "passed").length, failed };
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function readReport(path: string, output: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`vitest wrote no report:\n${output.slice(-MAX_OUTPUT_CHARACTERS)}`);
  }
}

/** Resolves to what vitest prints, whether or not tests failed. */
function run(cwd: string, args: readonly string[]): Promise<string> {
  // With `CI`, vitest writes no snapshot that is missing, which would hide a mutation.
  const vitest = spawn(process.execPath, [VITEST, ...args], { cwd, env: { ...process.env, CI: "true" } });
  let output = "";
  const append = (chunk: Buffer) => {
    output += chunk;
  };
  vitest.stdout.on("data", append);
  vitest.stderr.on("data", append);
  const kill = () => vitest.kill();
  process.once("exit", kill);
  return new Promise((resolve, reject) => {
    vitest.once("error", reject);
    vitest.once("close", () => {
      process.off("exit", kill);
      resolve(output);
    });
  });
}
