// All functions of the service, each with its sandboxes.
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FunctionDefinition } from "./function-definition.ts";
import { createFunctionPool, type FunctionPool } from "./function-pool.ts";
import type { FunctionAnswer } from "./runtime-api.ts";
import { startSandbox } from "./sandbox.ts";

export interface FunctionsOptions {
  /** Module of the runtime client. */
  readonly runtime: string;
  /** Folder for the sandboxes' own folders. */
  readonly run: string;
  /** At most so many sandboxes of each function. */
  readonly maxSandboxes: number;
  /** Laid over the variables of the template. */
  readonly environment: Readonly<Record<string, string>>;
  onLog(functionName: string, line: string): void;
  readonly onInvocation: ((invocation: FunctionInvocation) => void) | undefined;
}

/** An event that a function was given and is done with. */
export interface FunctionInvocation {
  readonly logicalId: string;
  /** From the arrival of the event until the function asks for the next one, which is what Lambda bills. */
  readonly milliseconds: number;
}

export interface FunctionStatus {
  readonly name: string;
  readonly logicalId: string;
  readonly sandboxCount: number;
  /** How long each sandbox took to start, in milliseconds and in the order of starting. */
  readonly initTimesMs: readonly number[];
}

export interface Functions {
  readonly status: readonly FunctionStatus[];
  /**
   * Rejects with a `FunctionError`, or with another error when there is no such function. `onStart` is awaited when a
   * sandbox is about to take the event.
   */
  invoke(nameOrArn: string, event: string, onStart?: () => Promise<void>): Promise<FunctionAnswer>;
  /** Runs these from now on; resolves to the names of those that are new, changed or gone. Others keep their sandboxes. */
  use(definitions: readonly FunctionDefinition[]): Promise<string[]>;
  /** Starts a sandbox of each function that has none. */
  warm(): void;
  close(): Promise<void>;
}

export function createFunctions({ run, maxSandboxes, onLog, onInvocation, ...sandbox }: FunctionsOptions): Functions {
  const pools = new Map<string, FunctionPool>();

  const createPool = (definition: FunctionDefinition) =>
    createFunctionPool({
      definition,
      maxSandboxes,
      maxStarting: Math.max(1, Math.floor(availableParallelism() / 2)),
      start: (options) =>
        startSandbox({
          ...sandbox,
          ...options,
          folder: join(run, randomUUID()),
          onLog: (line) => onLog(definition.name, line),
          onInvoked: (milliseconds) => onInvocation?.({ logicalId: definition.logicalId, milliseconds }),
        }),
    });

  return {
    get status() {
      return [...pools.values()].map(({ definition: { name, logicalId }, sandboxCount, initTimesMs }) => ({
        name,
        logicalId,
        sandboxCount,
        initTimesMs: [...initTimesMs],
      }));
    },
    async invoke(nameOrArn, event, onStart) {
      const pool = pools.get(nameOrArn.split(":")[6] ?? nameOrArn);
      if (!pool) throw new Error(`There is no function ${nameOrArn}.`);
      return pool.invoke(event, onStart);
    },
    async use(definitions) {
      const changed: string[] = [];
      for (const definition of definitions) {
        const pool = pools.get(definition.name);
        if (pool && isDeepStrictEqual(pool.definition, definition)) continue;
        changed.push(definition.name);
        if (pool) pool.replace(definition);
        else pools.set(definition.name, createPool(definition));
      }
      const names = new Set(definitions.map(({ name }) => name));
      for (const [name, pool] of [...pools].filter(([each]) => !names.has(each))) {
        changed.push(name);
        pools.delete(name);
        await pool.close();
      }
      return changed;
    },
    warm() {
      for (const pool of pools.values()) pool.warm();
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
