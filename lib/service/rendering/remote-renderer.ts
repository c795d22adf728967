// The renderer in a function of its own: sends it the options of a capture, and reads the result from its response stream.
import {
  InvokeWithResponseStreamCommand,
  type InvokeWithResponseStreamResponseEvent,
  TooManyRequestsException,
} from "@aws-sdk/client-lambda";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { lambda } from "../aws/clients/lambda.ts";
import { logError } from "../platform/log.ts";
import { type FrameListeners, type MeasuredFrame, readRendered, type StartedFrame } from "./render-frames.ts";
import type { CreateRenderer, RenderContext, Renderer } from "./renderer.ts";
import type { RenderCall } from "./serve-render.ts";

export interface RemoteRendererOptions {
  /** Name or ARN of the function. */
  readonly functionName: string;
  /** Largest result in bytes. */
  readonly maxBytes: number;
}

/** Milliseconds after its timeout within which a capture has ended, or its renderer has failed. */
const GRACE_MS = 10_000;
/** The first attempt and another one, as with a browser that is lost. */
const MAX_ATTEMPTS = 2;

/** Renders in the function that is named. */
export const remoteRenderer =
  (options: RemoteRendererOptions): CreateRenderer =>
  () =>
    new RemoteRenderer(options);

class RemoteRenderer implements Renderer {
  readonly #options: RemoteRendererOptions;
  readonly #killed = new AbortController();

  constructor(options: RemoteRendererOptions) {
    this.#options = options;
  }

  /** Does nothing: a renderer keeps its next browser ready by itself. */
  prepare(): void {}

  async capture(options: EngineOptions, context: RenderContext): Promise<Capture> {
    const deadline = context.startedAt + options.timeout * 1000 + GRACE_MS;
    const signal = AbortSignal.any([
      this.#killed.signal,
      AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now()))),
    ]);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#invoke(options, context, signal);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logError("renderer lost", error, { request_id: context.requestId, attempt });
        if (attempt === MAX_ATTEMPTS || signal.aborted) throw rendererLost(error);
      }
    }
  }

  /** Stops to wait. The renderer ends at the timeout of the capture at the latest. */
  kill(): void {
    this.#killed.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
  }

  async #invoke(
    options: EngineOptions,
    { requestId, startedAt, clock }: RenderContext,
    abortSignal: AbortSignal,
  ): Promise<Capture> {
    const sentAt = performance.now();
    const call: RenderCall = { options, request_id: requestId, elapsed_ms: sentAt - startedAt };
    const { functionName: FunctionName, maxBytes } = this.#options;
    const command = new InvokeWithResponseStreamCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(call)) });
    const { EventStream: events } = await lambda()
      .send(command, { abortSignal })
      .catch((error) => {
        throw error instanceof TooManyRequestsException ? atCapacity(error) : error;
      });
    if (!events) throw new Error("The renderer did not respond.");
    const times = new RemoteTimes(clock, { startedAt, sentAt });
    return readRendered(untilAborted(payloads(events), abortSignal), times, maxBytes);
  }
}

/** Adds to a clock what the renderer measures. Its times count from the start of the request, without those of the invocation. */
class RemoteTimes implements FrameListeners {
  readonly #clock: PhaseClock;
  readonly #startedAt: number;
  readonly #sentAt: number;
  #invocationMs: number | undefined;

  constructor(clock: PhaseClock, { startedAt, sentAt }: { readonly startedAt: number; readonly sentAt: number }) {
    this.#clock = clock;
    this.#startedAt = startedAt;
    this.#sentAt = sentAt;
  }

  onStarted({ phase, at }: StartedFrame): void {
    this.#clock.start(phase, this.#localTime(at));
  }

  onMeasured({ phase, name, from, to, awaited, outcome }: MeasuredFrame): void {
    const [startedAt, endedAt] = [this.#localTime(from), this.#localTime(to)];
    this.#clock.record({ phase, name, startedAt, endedAt: Math.max(startedAt, endedAt), awaited, outcome });
  }

  /** The first work starts as soon as the renderer has the call: what passed before is the time of the invocation. */
  #localTime(remote: number): number {
    if (this.#invocationMs === undefined) {
      const now = performance.now();
      this.#invocationMs = Math.max(0, now - this.#startedAt - remote);
      const work = { phase: "browser", name: "invocation", startedAt: this.#sentAt, endedAt: now } as const;
      this.#clock.record({ ...work, awaited: undefined, outcome: undefined });
    }
    return Math.min(this.#startedAt + this.#invocationMs + remote, performance.now());
  }
}

/** The bytes of a response. Throws when the function fails. */
async function* payloads(events: AsyncIterable<InvokeWithResponseStreamResponseEvent>): AsyncGenerator<Uint8Array> {
  for await (const { PayloadChunk: chunk, InvokeComplete: complete } of events) {
    if (complete?.ErrorCode !== undefined) throw new Error(`The renderer failed: ${complete.ErrorCode}`);
    if (chunk?.Payload) yield chunk.Payload;
  }
}

/** The same chunks; rejects as soon as the signal aborts, even while none comes. */
async function* untilAborted<T>(chunks: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    for (;;) {
      const { value, done } = await Promise.race([chunks.next(), aborted.promise]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function rendererLost(cause: unknown): ApiError {
  const message = "The browser could not be started or crashed before the page, in two attempts. Nothing was billed.";
  return new ApiError("INTERNAL_ERROR", message, { cause });
}

function atCapacity(cause: unknown): ApiError {
  const message =
    "The service has no capacity left for this capture. Nothing was billed. Retry the request in a second.";
  return new ApiError("CAPACITY", message, { cause, headers: { "Retry-After": "1" } });
}
