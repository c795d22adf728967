// Lambda's tenant isolation mode, as the local pool of a function plays it: no sandbox gets events of two tenants.
import { expect, test } from "vitest";
import type { FunctionDefinition } from "../../../../lib/tools/local/lambda/function-definition.ts";
import { FunctionError } from "../../../../lib/tools/local/lambda/function-error.ts";
import { createFunctionPool } from "../../../../lib/tools/local/lambda/function-pool.ts";
import type { Sandbox, SandboxOptions } from "../../../../lib/tools/local/lambda/sandbox.ts";

const definition = { reservedConcurrency: undefined, isPerTenant: true, isBundled: true } as FunctionDefinition;

/** A pool whose sandboxes respond at once, with their number. */
function openPool(maxSandboxes: number) {
  let started = 0;
  const start = ({
    definition: own,
    onIdle,
    onEnd,
  }: Pick<SandboxOptions, "definition" | "onIdle" | "onEnd">): Sandbox => {
    const number = ++started;
    let isEnding = false;
    const sandbox: Sandbox = {
      definition: own,
      initMs: 1,
      get isEnding() {
        return isEnding;
      },
      async invoke() {
        setImmediate(() => onIdle(sandbox));
        return { isStreamed: false, payload: Buffer.from(String(number)) };
      },
      async end() {
        if (isEnding) return;
        isEnding = true;
        setImmediate(() => onEnd(sandbox, new FunctionError("Runtime.ExitError", "ended")));
      },
    };
    setImmediate(() => onIdle(sandbox));
    return sandbox;
  };
  return createFunctionPool({ definition, maxSandboxes, maxStarting: 2, maxReadyBrowsers: 1, start });
}

const invoke = async (pool: ReturnType<typeof openPool>, tenantId: string) =>
  String((await pool.invoke("{}", { tenantId })).payload);

test("tenants: each has sandboxes of its own, which it gets again", async () => {
  const pool = openPool(4);
  const first = await invoke(pool, "a");
  const other = await invoke(pool, "b");
  expect(other).not.toBe(first);
  expect(await invoke(pool, "a")).toBe(first);
  expect(await invoke(pool, "b")).toBe(other);
  await pool.close();
});

test("tenants: a new one gets the place of another's idle sandbox where there are no more", async () => {
  const pool = openPool(2);
  const served = new Map<string, Set<string>>();
  for (const tenantId of ["a", "b", "c", "a", "b", "c", "c"])
    served.set(tenantId, (served.get(tenantId) ?? new Set()).add(await invoke(pool, tenantId)));
  const all = [...served.values()].flatMap((numbers) => [...numbers]);
  expect(new Set(all).size).toBe(all.length);
  expect(pool.sandboxCount).toBeLessThanOrEqual(2);
  await pool.close();
});

test("tenants: events at the same time never share a sandbox with another tenant", async () => {
  const pool = openPool(3);
  const tenants = Array.from({ length: 30 }, (_, n) => ["a", "b", "c", "d"][n % 4] as string);
  const served = await Promise.all(tenants.map(async (tenant) => [await invoke(pool, tenant), tenant] as const));
  const bySandbox = Map.groupBy(served, ([sandbox]) => sandbox);
  for (const events of bySandbox.values()) expect(new Set(events.map(([, tenant]) => tenant)).size).toBe(1);
  await pool.close();
});
