// One execution environment of a function: a process of its own, with nothing of the user's shell, until it is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { killFamily } from "../child-process.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import { FunctionError } from "./function-error.ts";
import { type FunctionAnswer, openRuntimeApi, type RuntimeApi } from "./runtime-api.ts";
import { sandboxEnvironment } from "./sandbox-environment.ts";

export interface SandboxOptions {
  readonly definition: FunctionDefinition;
  /** Module of the runtime client. */
  readonly runtime: string;
  /** The sandbox's own folder for temporary files; made here, and removed when the sandbox has ended. */
  readonly folder: string;
  /** Laid over the variables of the template. */
  readonly environment: Readonly<Record<string, string>>;
  onLog(line: string): void;
  /** It can take an event: after its start, and after each event. */
  onIdle(sandbox: Sandbox): void;
  /** Told how long an event has kept it, in milliseconds: from its arrival until the next one was asked for. */
  onInvoked?(milliseconds: number): void;
  /** It is gone, with everything it started. The reason is an error of the function, or that somebody ended it. */
  onEnd(sandbox: Sandbox, reason: FunctionError): void;
}

export interface Sandbox {
  readonly definition: FunctionDefinition;
  /** From the start of the process until it asked for the first event; undefined before. */
  readonly initMs: number | undefined;
  /** Its process has ended or is being killed. */
  readonly isEnding: boolean;
  /** Only when idle. Rejects with a `FunctionError`; the sandbox is killed when the function's time is up. */
  invoke(event: string): Promise<FunctionAnswer>;
  /**
   * Kills it with everything it started; resolves when nothing is left, and never rejects. While it has an event, its
   * process is sent SIGTERM first, and has two seconds to give back what it holds.
   */
  end(): Promise<void>;
}

export function startSandbox(options: SandboxOptions): Sandbox {
  const { definition, runtime, folder, environment, onLog, onIdle, onEnd } = options;
  const startedAt = performance.now();
  const ended = Promise.withResolvers<void>();
  let initMs: number | undefined;
  let invokedAt: number | undefined;
  let endReason: FunctionError | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The event that it has, until it asks for the next one. */
  let working: PromiseWithResolvers<void> | undefined;
  let api: RuntimeApi | undefined;
  let child: ChildProcess | undefined;

  const sandbox: Sandbox = {
    definition,
    get initMs() {
      return initMs;
    },
    get isEnding() {
      return endReason !== undefined;
    },
    async invoke(event) {
      if (!api || endReason) throw endReason ?? new Error("The sandbox has not started.");
      const { arn: functionArn, timeoutSeconds } = definition;
      endAfter(timeoutSeconds, "Task");
      const deadline = Date.now() + timeoutSeconds * 1000;
      invokedAt = performance.now();
      working = Promise.withResolvers();
      return api.invoke({ requestId: randomUUID(), event, functionArn, deadline });
    },
    async end() {
      const stop = () => end(new FunctionError("Runtime.ExitError", "The sandbox was stopped."));
      if (working && child && !endReason) {
        child.kill("SIGTERM");
        const timeUp = setTimeout(stop, SHUTDOWN_MS);
        await Promise.race([working.promise, ended.promise]);
        clearTimeout(timeUp);
      }
      return stop();
    },
  };
  const started = start().catch((error) => void end(new FunctionError("Runtime.ExitError", String(error))));
  return sandbox;

  async function start(): Promise<void> {
    endAfter(LONGEST_INIT_SECONDS, "Init");
    await mkdir(folder, { recursive: true });
    api = await openRuntimeApi({ onNext, onInitError: end });
    if (endReason) return;
    child = spawn(process.execPath, [runtime], {
      cwd: definition.code,
      env: sandboxEnvironment({ definition, folder, runtimeApi: api.address, environment }),
      detached: true, // its own process group: it can be killed as a whole, and Ctrl-C does not reach it before us
      stdio: ["ignore", "pipe", "pipe"],
    });
    forwardLines(child, onLog);
    child.once("error", (error) => end(new FunctionError("Runtime.ExitError", error.message)));
    child.once("exit", (code, signal) => end(new FunctionError("Runtime.ExitError", exitMessage(code, signal))));
  }

  function onNext(): void {
    if (endReason) return;
    clearTimeout(timer);
    working?.resolve();
    working = undefined;
    initMs ??= performance.now() - startedAt;
    if (invokedAt !== undefined) options.onInvoked?.(performance.now() - invokedAt);
    onIdle(sandbox);
  }

  function endAfter(seconds: number, what: string): void {
    const message = `${what} timed out after ${seconds.toFixed(2)} seconds`;
    timer = setTimeout(() => end(new FunctionError("Sandbox.Timedout", message)), seconds * 1000);
  }

  /** The first reason counts: a process that is killed because its time is up also exits. */
  function end(reason: FunctionError): Promise<void> {
    if (!endReason) {
      endReason = reason;
      clearTimeout(timer);
      if (reason.errorType === "Sandbox.Timedout") onLog(reason.message);
      void clearAway(reason).finally(() => {
        onEnd(sandbox, reason);
        ended.resolve();
      });
    }
    return ended.promise;
  }

  async function clearAway(reason: FunctionError): Promise<void> {
    await started;
    killFamily({ folder, leader: child?.pid });
    await Promise.all([api?.close(reason), child && exited(child)]);
    // The process may have started another one in its last moment.
    killFamily({ folder, leader: child?.pid });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch((error) => onLog(String(error)));
  }
}

/** Lambda allows 10 s; on a laptop many sandboxes may start at the same time on few cores. */
const LONGEST_INIT_SECONDS = 60;

/** As long as Lambda gives a runtime between SIGTERM and SIGKILL when it shuts down a sandbox. */
const SHUTDOWN_MS = 2_000;

function exitMessage(code: number | null, signal: NodeJS.Signals | null): string {
  return `The runtime exited with ${signal ? `signal ${signal}` : `exit status ${code}`}`;
}

function exited(child: ChildProcess): Promise<unknown> {
  const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return isGone ? Promise.resolve() : new Promise((resolve) => child.once("exit", resolve));
}

function forwardLines({ stdout, stderr }: ChildProcess, onLog: (line: string) => void): void {
  for (const stream of [stdout, stderr]) {
    if (stream) createInterface({ input: stream }).on("line", onLog);
  }
}
