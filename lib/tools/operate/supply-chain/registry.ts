// Asks the npm registry, by npm's commands with JSON output.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const project = join(import.meta.dirname, "../../../..");

/** npm's JSON output, regardless of its exit code; undefined when it is not JSON. */
export function askRegistry(...args: readonly string[]): unknown {
  const { stdout } = spawnSync("npm", args, { cwd: project, encoding: "utf8", timeout: 60_000 });
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/** What an operator reads when the registry has not said something. */
export function unanswered(question: string): string {
  return `The registry did not answer ${question}. Try again from a machine that can reach registry.npmjs.org.`;
}
