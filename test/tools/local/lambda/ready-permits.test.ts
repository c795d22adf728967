// Ready browsers of a local function: which sandboxes keep one, regardless of their earlier invocations.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FunctionDefinition } from "../../../../lib/tools/local/lambda/function-definition.ts";
import { FunctionError } from "../../../../lib/tools/local/lambda/function-error.ts";
import { createFunctionPool } from "../../../../lib/tools/local/lambda/function-pool.ts";
import type { Sandbox, SandboxOptions } from "../../../../lib/tools/local/lambda/sandbox.ts";

const MAX_READY = 2;

/** A pool of sandboxes without processes: each invocation ends when the test says so. */
function aPool() {
  const definition = { name: "screenshot", isBundled: true } as FunctionDefinition;
  const stopped = new FunctionError("Runtime.ExitError", "stopped");
  const all = new Set<FakeSandbox>();
  const running: FakeSandbox[] = [];
  class FakeSandbox implements Sandbox {
    readonly definition = definition;
    readonly initMs = 0;
    isEnding = false;
    hasBrowser = false;
    readonly #options: Pick<SandboxOptions, "onIdle" | "onEnd">;
    #mayKeepBrowser = false;
    #response = Promise.withResolvers<never>();
    constructor(options: Pick<SandboxOptions, "onIdle" | "onEnd">) {
      this.#options = options;
      all.add(this);
      queueMicrotask(() => this.#options.onIdle(this));
    }
    invoke(_: string, { mayKeepBrowser }: { readonly mayKeepBrowser: boolean }): Promise<never> {
      this.#mayKeepBrowser = mayKeepBrowser;
      this.#response = Promise.withResolvers();
      seen.push(this.hasBrowser);
      this.hasBrowser = false;
      running.push(this);
      return this.#response.promise;
    }
    /** The capture is over, and the next browser is ready if it may be. */
    finish(): void {
      running.splice(running.indexOf(this), 1);
      this.hasBrowser = this.#mayKeepBrowser;
      this.#response.resolve(undefined as never);
      this.#options.onIdle(this);
    }
    async end(): Promise<void> {
      if (this.isEnding) return;
      this.isEnding = true;
      all.delete(this);
      if (running.includes(this)) running.splice(running.indexOf(this), 1);
      this.#response.promise.catch(() => undefined);
      this.#response.reject(stopped);
      setImmediate(() => this.#options.onEnd(this, stopped)); // once its processes are gone and its folder is removed
    }
  }
  /** For each invocation, whether its sandbox had a browser ready. */
  const seen: boolean[] = [];
  const pool = createFunctionPool({
    definition,
    maxSandboxes: 6,
    maxStarting: 6,
    maxReadyBrowsers: MAX_READY,
    start: (options) => new FakeSandbox(options),
  });
  const settle = async () => {
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
  };
  return {
    pool,
    seen,
    /** So many captures at the same time. */
    async capture(count: number): Promise<void> {
      const responses = Array.from({ length: count }, () => pool.invoke("{}").catch(() => undefined));
      for (let done = 0; done < count; ) {
        await settle();
        for (const sandbox of [...running]) {
          sandbox.finish();
          done++;
        }
      }
      await Promise.all(responses);
    },
    /** A sandbox ends while it is idle, as one whose browser has left something behind. */
    async end(index: number): Promise<void> {
      const sandbox = [...all][index % Math.max(1, all.size)];
      await sandbox?.end();
      await settle();
    },
    ready: () => [...all].filter(({ hasBrowser }) => hasBrowser).length,
  };
}

test("ready browsers: after any number of captures and ended sandboxes, the next capture but one finds a browser ready", async () => {
  const step = fc.oneof(
    fc.record({ capture: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ end: fc.integer({ min: 0, max: 5 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { pool, seen, capture, end, ready } = aPool();
      try {
        for (const each of steps) {
          await ("capture" in each ? capture(each.capture) : end(each.end));
          expect(ready()).toBeLessThanOrEqual(MAX_READY);
        }
        await capture(1);
        await capture(1);
        expect(seen.at(-1)).toBe(true);
      } finally {
        await pool.close();
      }
    }),
    { numRuns: 60 },
  );
});

test("ready browsers: the ten-thousandth capture finds one as the tenth did, although every hundredth ends its sandbox", async () => {
  const { pool, seen, capture, end } = aPool();
  for (let count = 1; count <= 10_000; count++) {
    await capture(1);
    if (count % 100 === 50) {
      await capture(4);
      await end(0);
    }
  }
  expect([seen[9], seen.at(-1)]).toEqual([true, true]);
  await pool.close();
});
