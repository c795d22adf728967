// The sandbox pool of one function: reuses idle sandboxes, starts more under parallel load, and queues events at the maximum.
import type { FunctionDefinition } from "./function-definition.ts";
import { FunctionError } from "./function-error.ts";
import { ReadyPermits } from "./ready-permits.ts";
import type { FunctionResponse } from "./runtime-api.ts";
import type { Sandbox, SandboxOptions } from "./sandbox.ts";

export interface FunctionPoolOptions {
  readonly definition: FunctionDefinition;
  /** Maximum of sandboxes. */
  readonly maxSandboxes: number;
  /** Maximum of sandboxes that start at the same time: each start slows down the others and running invocations. */
  readonly maxStarting: number;
  /** Maximum of sandboxes that may keep a browser ready. */
  readonly maxReadyBrowsers: number;
  start(options: Pick<SandboxOptions, "definition" | "onIdle" | "onEnd">): Sandbox;
}

export interface InvokeOptions {
  /** Awaited before a sandbox gets the event; when it rejects, the invocation fails. */
  readonly onStart?: (() => Promise<void>) | undefined;
  /** Whom the event is for: no sandbox gets events of two tenants. */
  readonly tenantId?: string | undefined;
}

export interface FunctionPool {
  readonly definition: FunctionDefinition;
  /** Duration of each cold start, in milliseconds, in order. */
  readonly initTimesMs: readonly number[];
  /** Of all running sandboxes, those that are starting and those that are idle included. */
  readonly sandboxCount: number;
  readonly startingCount: number;
  readonly idleCount: number;
  /** Events that wait for a sandbox. */
  readonly waitingCount: number;
  /** Rejects with a `FunctionError` when the function fails. Waiting events are served in order. */
  invoke(event: string, options?: InvokeOptions): Promise<FunctionResponse>;
  /** Starts a sandbox when there is none, to save the first event a cold start. */
  warm(): void;
  /** Uses the new definition from the next event on. Running invocations continue. */
  replace(definition: FunctionDefinition): void;
  /** Kills all sandboxes and rejects waiting events. */
  close(): Promise<void>;
}

interface WaitingEvent extends InvokeOptions {
  readonly event: string;
  readonly response: PromiseWithResolvers<FunctionResponse>;
  readonly since: number;
}

export function createFunctionPool(options: FunctionPoolOptions): FunctionPool {
  let { definition } = options;
  let isClosed = false;
  /** All running sandboxes, including those in `starting`. */
  const sandboxes = new Set<Sandbox>();
  const starting = new Set<Sandbox>();
  /** Least recently used first. */
  let idle: { readonly sandbox: Sandbox; readonly since: number }[] = [];
  const permits = new ReadyPermits<Sandbox>(options.maxReadyBrowsers);
  /** Whose events a sandbox has got. */
  const tenants = new WeakMap<Sandbox, string>();
  const waiting: WaitingEvent[] = [];
  const initTimesMs: number[] = [];
  const sweep = setInterval(retireIdle, SWEEP_INTERVAL_MS).unref();
  let nextStart: NodeJS.Timeout | undefined;

  return {
    get definition() {
      return definition;
    },
    get initTimesMs() {
      return initTimesMs;
    },
    get sandboxCount() {
      return sandboxes.size;
    },
    get startingCount() {
      return starting.size;
    },
    get idleCount() {
      return idle.length;
    },
    get waitingCount() {
      return waiting.length;
    },
    invoke(event, invokeOptions = {}) {
      if (isClosed) return Promise.reject(stoppingError());
      const response = Promise.withResolvers<FunctionResponse>();
      waiting.push({ event, response, since: performance.now(), ...invokeOptions });
      serve();
      return response.promise;
    },
    warm() {
      if (sandboxes.size === 0 && definition.isBundled) start();
    },
    replace(next) {
      definition = next;
      for (const { sandbox } of idle.splice(0)) void sandbox.end();
      serve();
    },
    async close() {
      isClosed = true;
      clearInterval(sweep);
      clearTimeout(nextStart);
      for (const { response } of waiting.splice(0)) response.reject(stoppingError());
      await Promise.all([...sandboxes].map((sandbox) => sandbox.end()));
    },
  };

  function maxSandboxes(): number {
    return Math.min(options.maxSandboxes, definition.reservedConcurrency ?? Number.POSITIVE_INFINITY);
  }

  function serve(): void {
    idle = idle.filter(({ sandbox }) => !sandbox.isEnding);
    for (const next of [...waiting]) {
      const free = permits.choose(idle.filter(({ sandbox }) => mayServe(sandbox, next)));
      if (!free) continue;
      waiting.splice(waiting.indexOf(next), 1);
      idle = idle.filter((each) => each !== free);
      if (next.tenantId !== undefined) tenants.set(free.sandbox, next.tenantId);
      take(next, free.sandbox).then(next.response.resolve, next.response.reject);
    }
    // What is idle now belongs to other tenants.
    const isFull = sandboxes.size >= maxSandboxes() && ![...sandboxes].some(({ isEnding }) => isEnding);
    if (waiting.length > 0 && isFull) void idle.shift()?.sandbox.end();
    startMore();
  }

  function mayServe(sandbox: Sandbox, { tenantId }: WaitingEvent): boolean {
    return !tenants.has(sandbox) || tenants.get(sandbox) === tenantId;
  }

  async function take({ event, onStart }: WaitingEvent, sandbox: Sandbox): Promise<FunctionResponse> {
    try {
      await onStart?.();
    } catch (error) {
      onIdle(sandbox); // it has no event
      throw error;
    }
    return sandbox.invoke(event, { mayKeepBrowser: permits.permit(sandbox) });
  }

  /** Starts a sandbox only when the oldest event has waited for as long as a cold start takes. */
  function startMore(): void {
    clearTimeout(nextStart);
    const mayStart = () =>
      starting.size < Math.min(waiting.length, options.maxStarting) && sandboxes.size < maxSandboxes();
    const [longest] = waiting;
    if (!longest || !definition.isBundled || !mayStart()) return;
    const mayGetOne = [...sandboxes].some((sandbox) => mayServe(sandbox, longest));
    const patienceMs = !mayGetOne ? 0 : (initTimesMs.at(-1) ?? 0);
    const remainingMs = longest.since + patienceMs - performance.now();
    if (remainingMs > 0) nextStart = setTimeout(startMore, Math.ceil(remainingMs));
    else while (mayStart()) start();
  }

  function start(): void {
    const sandbox = options.start({ definition, onIdle, onEnd });
    sandboxes.add(sandbox);
    starting.add(sandbox);
  }

  function onIdle(sandbox: Sandbox): void {
    if (starting.delete(sandbox)) initTimesMs.push(Math.round(sandbox.initMs ?? 0));
    if (sandbox.definition !== definition) {
      void sandbox.end();
      return;
    }
    idle.push({ sandbox, since: performance.now() });
    serve();
  }

  function onEnd(sandbox: Sandbox, reason: FunctionError): void {
    sandboxes.delete(sandbox);
    idle = idle.filter((entry) => entry.sandbox !== sandbox);
    // A failed start fails one waiting event; otherwise a function that cannot start would be retried forever.
    if (starting.delete(sandbox) && sandbox.definition === definition) waiting.shift()?.response.reject(reason);
    if (!isClosed) serve();
  }

  /** Ends idle sandboxes, but keeps the most recently used one, to avoid a cold start after a pause. */
  function retireIdle(): void {
    const idleSince = performance.now() - MAX_IDLE_MS;
    const expired = idle.slice(0, -1).filter(({ since }) => since < idleSince);
    idle = idle.filter((entry) => !expired.includes(entry));
    for (const { sandbox } of expired) void sandbox.end();
  }
}

/** Lambda keeps idle sandboxes for some minutes; the duration is not documented. */
const MAX_IDLE_MS = 5 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

function stoppingError(): FunctionError {
  return new FunctionError("Runtime.ExitError", "The service is being stopped.");
}
