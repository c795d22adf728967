// Runs the smoke test: check after check, as a table.

import { withStatusLine } from "../../../../clients/typescript/src/cli/status-line.ts";
import { type SmokeCheck, smokeChecks } from "./smoke-checks.ts";
import { NotTried, SmokeClient, type SmokeTarget } from "./smoke-client.ts";

export interface SmokeOptions extends SmokeTarget {
  /** True to run the slow checks, too. */
  readonly isFull: boolean;
  /** Called with each line of the table. */
  readonly print: (line: string) => void;
}

/** Resolves to the number of checks that failed. */
export async function runSmoke(
  { isFull, print, ...target }: SmokeOptions,
  checks: readonly SmokeCheck[] = smokeChecks,
): Promise<number> {
  const client = new SmokeClient(target);
  const wanted = checks.filter(({ isSlow = false }) => isFull || !isSlow);
  const counts = { "ok    ": 0, FAILED: 0, "skip  ": 0 };
  for (const { name, run } of wanted) {
    const startedAt = performance.now();
    const [mark, detail] = await withStatusLine(name, () => run(client)).then(
      (seen) => ["ok    ", seen] as const,
      (error: unknown) =>
        [
          error instanceof NotTried ? "skip  " : "FAILED",
          error instanceof Error ? error.message : String(error),
        ] as const,
    );
    counts[mark]++;
    print(`${mark} ${seconds(performance.now() - startedAt)} ${name}: ${detail}`);
  }
  const { "ok    ": passed, FAILED: failures, "skip  ": skipped } = counts;
  print(`${passed} of ${passed + failures} checks passed${skipped > 0 ? `, ${skipped} not tried` : ""}.`);
  return failures;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(7);
}
