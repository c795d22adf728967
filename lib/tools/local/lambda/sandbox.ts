// Sandbox: one execution environment of a function, in its own process with a clean environment.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { killProcessTree } from "../child-process.ts";
import type { FunctionCredentials } from "../iam/credentials.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import { FunctionError } from "./function-error.ts";
import { type FunctionResponse, openRuntimeApi, type RuntimeApi } from "./runtime-api.ts";
import { closedProcessFlags, runtimeFlags, sandboxEnvironment } from "./sandbox-environment.ts";

export interface SandboxOptions {
  readonly definition: FunctionDefinition;
  /** With which its calls to AWS are signed. */
  readonly credentials: FunctionCredentials;
  /** Module of the runtime client. */
  readonly runtime: string;
  /** Folder for temporary files of this sandbox. It is created, and removed when the sandbox has ended. */
  readonly folder: string;
  /** Overrides the environment variables of the template. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether streamed responses have Lambda's bandwidth. */
  readonly throttlesStreams: boolean;
  onLog(line: string): void;
  /** Called when the sandbox can take an event: after its start, and after each event. */
  onIdle(sandbox: Sandbox): void;
  /** Called with the duration of each invocation in milliseconds: from the event until the runtime polls for the next. */
  onInvoked?(milliseconds: number): void;
  /** Called when its processes have exited. The reason is an error of the function, or that the sandbox was stopped. */
  onEnd(sandbox: Sandbox, reason: FunctionError): void;
}

export interface Sandbox {
  readonly definition: FunctionDefinition;
  /** Duration of the cold start: from the start of the process until it polls for an event; undefined before. */
  readonly initMs: number | undefined;
  /** True when its process has exited or is being killed. */
  readonly isEnding: boolean;
  /**
   * Call it only while the sandbox is idle. `mayKeepBrowser` says whether a browser may stay ready in it afterwards. Rejects with
   * a `FunctionError`. A timeout kills the sandbox.
   */
  invoke(event: string, options: { readonly mayKeepBrowser: boolean }): Promise<FunctionResponse>;
  /**
   * Kills all its processes. Resolves when they have exited; never rejects. During an invocation, the process gets SIGTERM
   * first, and has two seconds to release what it holds.
   */
  end(): Promise<void>;
}

export function startSandbox(options: SandboxOptions): Sandbox {
  const { definition, credentials, runtime, folder, environment, throttlesStreams, onLog, onIdle, onEnd } = options;
  const startedAt = performance.now();
  const permit = join(folder, "ready-browser-permit");
  const ended = Promise.withResolvers<void>();
  let initMs: number | undefined;
  let invokedAt: number | undefined;
  let endReason: FunctionError | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves when the current invocation is over. */
  let running: PromiseWithResolvers<void> | undefined;
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
    async invoke(event, { mayKeepBrowser }) {
      if (!api || endReason) throw endReason ?? new Error("The sandbox has not started.");
      if (mayKeepBrowser) writeFileSync(permit, "");
      else rmSync(permit, { force: true });
      const { arn: functionArn, timeoutSeconds } = definition;
      startTimeout(timeoutSeconds, "Task");
      const deadline = Date.now() + timeoutSeconds * 1000;
      invokedAt = performance.now();
      running = Promise.withResolvers();
      return api.invoke({ requestId: randomUUID(), event, functionArn, deadline });
    },
    async end() {
      const stop = () => end(new FunctionError("Runtime.ExitError", "The sandbox was stopped."));
      if (running && child && !endReason) {
        child.kill("SIGTERM");
        const shutdownTimer = setTimeout(stop, SHUTDOWN_MS);
        await Promise.race([running.promise, ended.promise]);
        clearTimeout(shutdownTimer);
      }
      return stop();
    },
  };
  const started = start().catch((error) => void end(new FunctionError("Runtime.ExitError", String(error))));
  return sandbox;

  async function start(): Promise<void> {
    startTimeout(MAX_INIT_SECONDS, "Init");
    await mkdir(folder, { recursive: true });
    api = await openRuntimeApi({ onNext, onInitError: end, throttlesStreams });
    if (endReason) return;
    child = spawn(process.execPath, [...runtimeFlags(definition), ...closedProcessFlags(environment), runtime], {
      cwd: definition.code,
      env: {
        ...sandboxEnvironment({ definition, credentials, folder, runtimeApi: api.address, environment }),
        READY_BROWSER_PERMIT: permit,
      },
      detached: true, // its own process group, which can be killed as a whole and does not get Ctrl-C
      stdio: ["ignore", "pipe", "pipe"],
    });
    forwardLines(child, onLog);
    child.once("error", (error) => end(new FunctionError("Runtime.ExitError", error.message)));
    child.once("exit", (code, signal) => end(new FunctionError("Runtime.ExitError", exitMessage(code, signal))));
  }

  function onNext(): void {
    if (endReason) return;
    clearTimeout(timer);
    running?.resolve();
    running = undefined;
    initMs ??= performance.now() - startedAt;
    if (invokedAt !== undefined) options.onInvoked?.(performance.now() - invokedAt);
    onIdle(sandbox);
  }

  function startTimeout(seconds: number, phase: string): void {
    const message = `${phase} timed out after ${seconds.toFixed(2)} seconds`;
    timer = setTimeout(() => end(new FunctionError("Sandbox.Timedout", message)), seconds * 1000);
  }

  /** The first reason is reported: a process that is killed after a timeout also exits. */
  function end(reason: FunctionError): Promise<void> {
    if (!endReason) {
      endReason = reason;
      clearTimeout(timer);
      if (reason.errorType === "Sandbox.Timedout") onLog(reason.message);
      void removeProcesses(reason).finally(() => {
        onEnd(sandbox, reason);
        ended.resolve();
      });
    }
    return ended.promise;
  }

  async function removeProcesses(reason: FunctionError): Promise<void> {
    await started;
    killProcessTree({ folder, leader: child?.pid });
    await Promise.all([api?.close(reason), child && exited(child)]);
    // The process may have started another one before it exited.
    killProcessTree({ folder, leader: child?.pid });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch((error) => onLog(String(error)));
  }
}

/** Lambda allows 10 s. On a laptop many sandboxes can start at the same time on few cores. */
const MAX_INIT_SECONDS = 60;

/** Time between SIGTERM and SIGKILL when Lambda shuts down a sandbox. */
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
