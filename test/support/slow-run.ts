// The slow run: the projects `slow` and `slow-service` of `npm run test:slow`, which repeat on many pages, or wait in real seconds for,
// what the ordinary run tests with a sample of each kind. They have the files that import this module, and those named `*.slow.test.ts`.
import { describe, test } from "vitest";

/** Whether this is the slow run. */
export const IS_SLOW_RUN = process.env["TEST_RUN"] === "slow";

/** Accepts every call and registers nothing. */
const unregistered: unknown = new Proxy(() => undefined, { get: () => unregistered, apply: () => unregistered });

/** A test of the slow run alone. */
export const slowTest = IS_SLOW_RUN ? test : (unregistered as typeof test);

/** A suite of the slow run alone. */
export const slowDescribe = IS_SLOW_RUN ? describe : (unregistered as typeof describe);

/** The cases of a table that this run tests: all in the slow run, and every so many, from the first on, in the ordinary one. */
export function sample<T>(cases: readonly T[], every: number): T[] {
  return cases.filter((_, index) => IS_SLOW_RUN || index % every === 0);
}

type TestTable = Pick<typeof test, "each" | "for">;

/** A test whose tables have a sample of their cases in the ordinary run: every so many, from the first on. */
export function sampled<T extends TestTable>(api: T, every: number): T {
  const tables: Record<keyof TestTable, unknown> = {
    each: (cases: readonly unknown[]) => api.each(sample(cases, every)),
    for: (cases: readonly unknown[]) => api.for(sample(cases, every)),
  };
  return IS_SLOW_RUN ? api : (tables as unknown as T);
}
