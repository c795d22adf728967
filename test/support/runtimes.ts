// Programs of other languages that a machine may lack. What isn't tested without them is in the last lines of the run.
import { execFileSync } from "node:child_process";
import type { TestContext } from "vitest";

/** True if the program runs with these arguments. */
export function canRun(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The major version that the program prints for `--version`, or 0 without the program. */
export function majorVersion(program: string): number {
  try {
    return Number.parseInt(execFileSync(program, ["--version"], { encoding: "utf8" }), 10);
  } catch {
    return 0;
  }
}

/** Skips a test. The reporter names the subject and what is missing: `the Python client (no python3)`. */
export function skipWithout(isThere: boolean, { skip }: TestContext, subject: string, missing: string): void {
  skip(!isThere, `${subject} (no ${missing})`);
}
