// Runs an operator's command as a person does, with npm.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { project } from "./npm-start.ts";

export interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Runs `npm run <script> -- <args>`; resolves to its exit code and what it printed. */
export async function npmRun(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Ran> {
  const options = { cwd: project, env: { ...process.env, ...variables }, encoding: "utf8" } as const;
  return promisify(execFile)("npm", ["run", "--silent", script, "--", ...args], options).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trim().split("\n") }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      lines: `${error.stdout}${error.stderr}`.trim().split("\n"),
    }),
  );
}
