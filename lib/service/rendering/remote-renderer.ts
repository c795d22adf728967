// The renderer in a function of its own: sends it the options of captures, and reads the results from its response.
import { setImmediate } from "node:timers/promises";
import {
  InvokeWithResponseStreamCommand,
  type InvokeWithResponseStreamResponseEvent,
  TooManyRequestsException,
} from "@aws-sdk/client-lambda";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { CapturedOutputs, RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { lambda } from "../aws/clients/lambda.ts";
import { logError } from "../platform/log.ts";
import {
  type Measurements,
  maxResponseBytes,
  type ResponseReading,
  readCapture,
  readOutputs,
} from "./render-response.ts";
import type { CreateRenderer, RenderContext, Renderer, Requested } from "./renderer.ts";
import type { RenderCall, RenderWork } from "./serve-render.ts";
import { TransferObjects } from "./transfer-objects.ts";

export interface RemoteRendererOptions {
  /** Name or ARN of the function. */
  readonly functionName: string;
  /** Whether the function's sandboxes serve one tenant each. */
  readonly isolatesTenants: boolean;
  /** Largest result in bytes. */
  readonly maxBytes: number;
  /** Bucket through which long options and results pass. */
  readonly bucket: string;
}

/** Milliseconds after its timeout within which a capture has ended and its result was read, or its renderer has failed. */
const GRACE_MS = 20_000;
/** The first attempt and another one, as with a browser that is lost. */
const MAX_ATTEMPTS = 2;
/** Longest event. Options that make it longer pass through the bucket. */
const MAX_EVENT_BYTES = 6_000_000;

/** Renders in the function that is named. */
export const remoteRenderer =
  (options: RemoteRendererOptions): CreateRenderer =>
  () =>
    new RemoteRenderer(options);

/** Where the response of one invocation can be put. */
interface Transfer {
  readonly objects: TransferObjects;
  /** Presigned addresses of its parts. */
  readonly uploads: Promise<readonly string[]>;
}

class RemoteRenderer implements Renderer {
  readonly #options: RemoteRendererOptions;
  readonly #killed = new AbortController();
  readonly #invocations: TransferObjects[] = [];
  #prepared: Transfer | undefined;

  constructor(options: RemoteRendererOptions) {
    this.#options = options;
  }

  /**
   * Presigns the addresses of the first invocation, which takes two milliseconds, while the admission waits for the database. The
   * invocation itself can't start before: a page whose capture is refused must not be loaded, and Lambda tells no function to end.
   */
  prepare(requested: readonly Requested[]): void {
    this.#prepared ??= this.#presign(timeoutMs(requested) + GRACE_MS);
    this.#prepared.uploads.catch(() => undefined); // thrown by the invocation
  }

  capture(options: EngineOptions, context: RenderContext): Promise<Capture> {
    return this.#render({ work: { options }, timeoutMs: timeoutMs([{ options }]), read: readCapture }, context);
  }

  captureOutputs(requested: readonly RequestedOutput[], context: RenderContext): Promise<CapturedOutputs> {
    const read: ReadResponse<CapturedOutputs> = (chunks, reading) => readOutputs(requested, chunks, reading);
    return this.#render({ work: { outputs: requested }, timeoutMs: timeoutMs(requested), read }, context);
  }

  async #render<T>(rendering: Rendering<T>, context: RenderContext): Promise<T> {
    const deadline = context.startedAt + rendering.timeoutMs + GRACE_MS;
    const remainingMs = Math.max(0, Math.round(deadline - performance.now()));
    const signal = AbortSignal.any([this.#killed.signal, AbortSignal.timeout(remainingMs)]);
    for (let attempt = 1; ; attempt++) {
      try {
        const transfer = this.#prepared ?? this.#presign(remainingMs);
        this.#prepared = undefined;
        return await this.#invoke(rendering, context, { signal, transfer, remainingMs });
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
    await Promise.all(this.#invocations.splice(0).map((objects) => objects.delete()));
  }

  /** Of objects that can be written for so many milliseconds. */
  #presign(lifetimeMs: number): Transfer {
    const objects = new TransferObjects(this.#options.bucket);
    const presign = () => objects.presignParts(maxResponseBytes(this.#options.maxBytes), toSeconds(lifetimeMs));
    return { objects, uploads: setImmediate().then(presign) }; // requests that are being made are sent first
  }

  async #invoke<T>(
    { work, read }: Rendering<T>,
    { requestId, tenantId, startedAt, clock }: RenderContext,
    { signal: abortSignal, transfer, remainingMs }: InvokeParts,
  ): Promise<T> {
    const { functionName: FunctionName, isolatesTenants, maxBytes } = this.#options;
    const { objects } = transfer;
    this.#invocations.push(objects);
    const uploads = await transfer.uploads;
    const sentAt = performance.now();
    const context = { request_id: requestId, tenant_id: tenantId, elapsed_ms: sentAt - startedAt };
    const call: RenderCall = { work, ...context, uploads };
    let Payload = Buffer.from(JSON.stringify(call));
    if (Payload.length > MAX_EVENT_BYTES) {
      const address = await objects.putOptions(Buffer.from(JSON.stringify(work)), toSeconds(remainingMs));
      Payload = Buffer.from(JSON.stringify({ ...call, work: address }));
    }
    const { EventStream: events } = await lambda()
      .send(
        new InvokeWithResponseStreamCommand({ FunctionName, Payload, ...(isolatesTenants && { TenantId: tenantId }) }),
        { abortSignal },
      )
      .catch((error) => {
        throw error instanceof TooManyRequestsException ? atCapacity(error) : error;
      });
    if (!events) throw new Error("The renderer did not respond.");
    return read(untilAborted(payloads(events), abortSignal), {
      maxBytes,
      onMeasured: (measured, renderedAt) => record(clock, measured, { startedAt, sentAt, renderedAt }),
      readUploaded: async ({ bytes }, renderedAt) => {
        const response = await objects.readParts(bytes);
        clock.record({ phase: "store", name: "transfer", startedAt: renderedAt, endedAt: performance.now() });
        return response;
      },
    });
  }
}

type ReadResponse<T> = (chunks: AsyncIterable<Uint8Array>, reading: ResponseReading) => Promise<T>;

interface Rendering<T> {
  readonly work: RenderWork;
  readonly timeoutMs: number;
  readonly read: ReadResponse<T>;
}

/** Outputs of one request have the same timeout. */
const timeoutMs = ([first]: readonly Requested[]): number => (first?.options.timeout ?? 0) * 1000;

interface InvokeParts {
  readonly signal: AbortSignal;
  readonly transfer: Transfer;
  readonly remainingMs: number;
}

const toSeconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

interface Times {
  readonly startedAt: number;
  readonly sentAt: number;
  readonly renderedAt: number;
}

/**
 * Adds to a clock what the renderer measured. Its times count from the start of the request, without those of the invocation, which are
 * what is left of the time until the response.
 */
function record(
  clock: PhaseClock,
  { works, descriptions, endedAt }: Measurements,
  { startedAt, sentAt, renderedAt }: Times,
): void {
  const invocationMs = Math.max(0, renderedAt - startedAt - endedAt);
  const localTime = (remote: number) => Math.min(Math.max(sentAt, startedAt + invocationMs + remote), renderedAt);
  clock.record({ phase: "browser", name: "invocation", startedAt: sentAt, endedAt: localTime(sentAt - startedAt) });
  for (const { from, to, ...work } of works) {
    const workStartedAt = localTime(from);
    clock.record({ ...work, startedAt: workStartedAt, endedAt: Math.max(workStartedAt, localTime(to)) });
  }
  for (const [phase, description] of descriptions) clock.describe(phase, description);
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
