// Runs the smoke test: check after check, as a table.

import { type SmokeCheck, smokeChecks } from "./smoke-checks.ts";
import { SmokeClient } from "./smoke-client.ts";

export interface SmokeOptions {
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: string;
  /** An API key with the scopes `capture` and `usage`. */
  readonly key: string;
  /** True to run the slow checks, too. */
  readonly isFull: boolean;
  /** How long an asynchronous capture may take. @default two minutes */
  readonly jobWaitMs?: number;
  /** Called with each line of the table. */
  readonly print: (line: string) => void;
}

/** Resolves to the number of checks that failed. */
export async function runSmoke(
  { baseUrl, key, isFull, jobWaitMs = 120_000, print }: SmokeOptions,
  checks: readonly SmokeCheck[] = smokeChecks,
): Promise<number> {
  const client = new SmokeClient(baseUrl, key, jobWaitMs);
  const wanted = checks.filter(({ isSlow = false }) => isFull || !isSlow);
  let failures = 0;
  for (const { name, run } of wanted) {
    const startedAt = performance.now();
    const [mark, detail] = await run(client).then(
      (seen) => ["ok    ", seen] as const,
      (error: unknown) => ["FAILED", error instanceof Error ? error.message : String(error)] as const,
    );
    if (mark === "FAILED") failures++;
    print(`${mark} ${seconds(performance.now() - startedAt)} ${name}: ${detail}`);
  }
  print(`${wanted.length - failures} of ${wanted.length} checks passed.`);
  return failures;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(7);
}
