// The functions of the service, each with a pool of sandboxes.
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FunctionCredentials } from "../iam/credentials.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import { InvalidInvocation } from "./function-error.ts";
import { createFunctionPool, type FunctionPool, type InvokeOptions } from "./function-pool.ts";
import type { FunctionResponse } from "./runtime-api.ts";
import { startSandbox } from "./sandbox.ts";

export interface FunctionsOptions {
  /** Module of the runtime client. */
  readonly runtime: string;
  /** Parent of the sandboxes' temporary folders. */
  readonly run: string;
  /** Maximum of sandboxes per function. */
  readonly maxSandboxes: number;
  /** Overrides the environment variables of the template. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether sandboxes of a function with tenant isolation serve one tenant each. */
  readonly isolatesTenants: boolean;
  /** Whether streamed responses have Lambda's bandwidth. */
  readonly throttlesStreams: boolean;
  /** The credentials of a function. */
  credentialsOf(functionName: string): FunctionCredentials;
  onLog(functionName: string, line: string): void;
  readonly onInvocation: ((invocation: FunctionInvocation) => void) | undefined;
}

/** A finished invocation. */
export interface FunctionInvocation {
  readonly logicalId: string;
  /** From the arrival of the event until the runtime polls for the next one: the billed duration. */
  readonly milliseconds: number;
}

export interface FunctionStatus {
  readonly name: string;
  readonly logicalId: string;
  /** Of all running sandboxes, those that are starting and those that are idle included. */
  readonly sandboxCount: number;
  readonly startingCount: number;
  readonly idleCount: number;
  /** Events that wait for a sandbox. */
  readonly waitingCount: number;
  /** Duration of each cold start, in milliseconds, in order. */
  readonly initTimesMs: readonly number[];
}

export interface Functions {
  readonly status: readonly FunctionStatus[];
  /**
   * Rejects with a `FunctionError`, with an `InvalidInvocation` where a tenant must be named or must not, or with another error for an
   * unknown function.
   */
  invoke(nameOrArn: string, event: string, options?: InvokeOptions): Promise<FunctionResponse>;
  /** Resolves when a function has its module, or all are closed. Throws for an unknown function. */
  whenBundled(nameOrArn: string): Promise<void>;
  /** Replaces the functions. Resolves to the names of the new, changed and removed ones. Others keep their sandboxes. */
  use(definitions: readonly FunctionDefinition[]): Promise<string[]>;
  /** Starts a sandbox of each of these functions that has none; of all unless some are named. */
  warm(names?: readonly string[]): void;
  close(): Promise<void>;
}

export function createFunctions(options: FunctionsOptions): Functions {
  const { run, maxSandboxes, isolatesTenants, credentialsOf, onLog, onInvocation, ...sandbox } = options;
  const pools = new Map<string, FunctionPool>();
  let isClosed = false;
  /** Resolves at the next replacement of the functions. */
  let replaced = Promise.withResolvers<void>();

  const findPool = (nameOrArn: string) => {
    const pool = pools.get(nameOrArn.split(":")[6] ?? nameOrArn);
    if (!pool) throw new Error(`Unknown function ${nameOrArn}.`);
    return pool;
  };

  const createPool = (definition: FunctionDefinition) =>
    createFunctionPool({
      definition,
      maxSandboxes,
      maxStarting: Math.max(1, Math.floor(availableParallelism() / 2)),
      maxReadyBrowsers: availableParallelism(), // more of them would not run at the same time
      start: (started) =>
        startSandbox({
          ...sandbox,
          ...started,
          credentials: credentialsOf(definition.name),
          folder: join(run, randomUUID()),
          onLog: (line) => onLog(definition.name, line),
          onInvoked: (milliseconds) => onInvocation?.({ logicalId: definition.logicalId, milliseconds }),
        }),
    });

  return {
    get status() {
      return [...pools.values()].map((pool) => ({
        name: pool.definition.name,
        logicalId: pool.definition.logicalId,
        sandboxCount: pool.sandboxCount,
        startingCount: pool.startingCount,
        idleCount: pool.idleCount,
        waitingCount: pool.waitingCount,
        initTimesMs: [...pool.initTimesMs],
      }));
    },
    async invoke(nameOrArn, event, invokeOptions = {}) {
      const pool = findPool(nameOrArn);
      if (pool.definition.isPerTenant !== (invokeOptions.tenantId !== undefined)) throw wrongTenancy(pool.definition);
      return pool.invoke(event, isolatesTenants ? invokeOptions : { ...invokeOptions, tenantId: undefined });
    },
    async whenBundled(nameOrArn) {
      while (!isClosed && !findPool(nameOrArn).definition.isBundled) await replaced.promise;
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
      replaced.resolve();
      replaced = Promise.withResolvers();
      return changed;
    },
    warm(names = [...pools.keys()]) {
      for (const name of names) pools.get(name)?.warm();
    },
    async close() {
      isClosed = true;
      replaced.resolve();
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation-invoke.html */
function wrongTenancy({ name, isPerTenant }: FunctionDefinition): InvalidInvocation {
  return new InvalidInvocation(
    isPerTenant
      ? `The function ${name} has a tenancy configuration: name a tenant.`
      : `The function ${name} has no tenancy configuration: name no tenant.`,
  );
}
