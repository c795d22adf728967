// The sandboxes of one function: an idle one is used again, parallel load starts more, beyond the bound events wait.
import type { FunctionDefinition } from "./function-definition.ts";
import { FunctionError } from "./function-error.ts";
import type { FunctionAnswer } from "./runtime-api.ts";
import type { Sandbox, SandboxOptions } from "./sandbox.ts";

export interface FunctionPoolOptions {
  readonly definition: FunctionDefinition;
  /** At most so many sandboxes at a time. */
  readonly maxSandboxes: number;
  /** At most so many of them start at a time: many at once are slow, and slow down those that are at work. */
  readonly maxStarting: number;
  start(options: Pick<SandboxOptions, "definition" | "onIdle" | "onEnd">): Sandbox;
}

export interface FunctionPool {
  readonly definition: FunctionDefinition;
  /** How long each sandbox took to start, in milliseconds and in the order of starting. */
  readonly initTimesMs: readonly number[];
  readonly sandboxCount: number;
  /**
   * Rejects with a `FunctionError` when the function fails. Events that wait are served in their order; `onStart` is awaited
   * when a sandbox is about to take the event, and fails it when it rejects.
   */
  invoke(event: string, onStart?: () => Promise<void>): Promise<FunctionAnswer>;
  /** Starts a sandbox when there is none, so that the first event need not wait for it. */
  warm(): void;
  /** Uses the new definition from the next event on; what is running goes on to its end. */
  replace(definition: FunctionDefinition): void;
  /** Kills all sandboxes; events that wait are refused. */
  close(): Promise<void>;
}

interface WaitingEvent {
  readonly event: string;
  readonly answer: PromiseWithResolvers<FunctionAnswer>;
  readonly since: number;
  readonly onStart: (() => Promise<void>) | undefined;
}

export function createFunctionPool(options: FunctionPoolOptions): FunctionPool {
  let { definition } = options;
  let isClosed = false;
  /** All that have not ended; those that are starting are in `starting` too. */
  const sandboxes = new Set<Sandbox>();
  const starting = new Set<Sandbox>();
  /** Least recently used first. */
  let idle: { readonly sandbox: Sandbox; readonly since: number }[] = [];
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
    invoke(event, onStart) {
      if (isClosed) return Promise.reject(stopped());
      const answer = Promise.withResolvers<FunctionAnswer>();
      waiting.push({ event, answer, since: performance.now(), onStart });
      serve();
      return answer.promise;
    },
    warm() {
      if (sandboxes.size === 0) start();
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
      for (const { answer } of waiting.splice(0)) answer.reject(stopped());
      await Promise.all([...sandboxes].map((sandbox) => sandbox.end()));
    },
  };

  function bound(): number {
    return Math.min(options.maxSandboxes, definition.reservedConcurrency ?? Number.POSITIVE_INFINITY);
  }

  function serve(): void {
    idle = idle.filter(({ sandbox }) => !sandbox.isEnding);
    while (waiting.length > 0 && idle.length > 0) {
      const [next, free] = [waiting.shift(), idle.pop()];
      if (next && free) take(next, free.sandbox).then(next.answer.resolve, next.answer.reject);
    }
    startMore();
  }

  async function take({ event, onStart }: WaitingEvent, sandbox: Sandbox): Promise<FunctionAnswer> {
    try {
      await onStart?.();
    } catch (error) {
      onIdle(sandbox); // it has taken nothing
      throw error;
    }
    return sandbox.invoke(event);
  }

  /** Another sandbox only helps an event that would wait for longer than it takes to start; else it is a waste. */
  function startMore(): void {
    clearTimeout(nextStart);
    const mayStart = () => starting.size < Math.min(waiting.length, options.maxStarting) && sandboxes.size < bound();
    const [longest] = waiting;
    if (!longest || !mayStart()) return;
    const patienceMs = sandboxes.size === 0 ? 0 : (initTimesMs.at(-1) ?? 0);
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
    // One that could not start takes an event with it; else a function that cannot start would be tried for ever.
    if (starting.delete(sandbox) && sandbox.definition === definition) waiting.shift()?.answer.reject(reason);
    if (!isClosed) serve();
  }

  /** The most recently used one stays, so that there is no cold start after a pause. */
  function retireIdle(): void {
    const longAgo = performance.now() - LONGEST_IDLE_MS;
    const expired = idle.slice(0, -1).filter(({ since }) => since < longAgo);
    idle = idle.filter((entry) => !expired.includes(entry));
    for (const { sandbox } of expired) void sandbox.end();
  }
}

/** How long Lambda keeps an idle sandbox is not documented; minutes is what is seen. */
const LONGEST_IDLE_MS = 5 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

function stopped(): FunctionError {
  return new FunctionError("Runtime.ExitError", "The service is being stopped.");
}
