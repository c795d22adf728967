// The renderer in a function of its own: sends it the options of captures, and reads the results from its response.
import { setImmediate } from "node:timers/promises";
import { TooManyRequestsException } from "@aws-sdk/client-lambda";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RequestedOutput } from "../../engine/pipeline/capture.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { withTimeout } from "../../engine/timing/with-timeout.ts";
import { logError } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { payloads } from "./invocation.ts";
import { invokeRenderer } from "./invoke-renderer.ts";
import { type Measurements, maxResponseBytes, readOutputs } from "./render-response.ts";
import type {
  CreateRenderer,
  RenderContext,
  Rendered,
  RenderedOutputs,
  Renderer,
  RequestedRendering,
} from "./renderer.ts";
import { RENDERING_GRACE_MS } from "./rendering-limits.ts";
import type { RenderCall } from "./serve-render.ts";
import { chooseTenant, type Tenancy } from "./tenant.ts";
import { TransferObjects } from "./transfer-objects.ts";

export interface RemoteRendererOptions extends Tenancy {
  /** Name or ARN of the function. */
  readonly functionName: string;
  /** Largest result in bytes. */
  readonly maxBytes: number;
  /** Bucket through which long options and results pass. */
  readonly bucket: string;
}

/** Longest wait for thumbnails after the results, in milliseconds. Each takes about 20. */
const MAX_THUMBNAIL_WAIT_MS = 5_000;
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
  readonly #ended = new AbortController();
  #hasRendered = false;
  /** Pending until the thumbnails that were asked for are there, or can't come any more. */
  readonly #thumbnails: Promise<unknown>[] = [];
  readonly #invocations: TransferObjects[] = [];
  #prepared: Transfer | undefined;

  constructor(options: RemoteRendererOptions) {
    this.#options = options;
  }

  /**
   * Presigns the addresses of the first invocation, which takes two milliseconds, while the admission waits for the database. The
   * invocation itself can't start before: a page whose capture is refused must not be loaded, and Lambda tells no function to end.
   */
  prepare(requested: readonly RequestedOutput[]): void {
    this.#prepared ??= this.#presign(timeoutMs(requested) + RENDERING_GRACE_MS);
    this.#prepared.uploads.catch(() => undefined); // thrown by the invocation
  }

  async capture(requested: readonly RequestedRendering[], context: RenderContext): Promise<RenderedOutputs> {
    const { loads, outputs } = await this.#render(requested, context);
    const received = outputs.map((output) =>
      "error" in output ? output : { capture: this.#received(output.capture) },
    );
    return { loads, outputs: received };
  }

  /** The same result, whose thumbnail comes within its time. */
  #received(rendered: Rendered): Rendered {
    this.#hasRendered = true;
    const { thumbnail: read } = rendered;
    if (!read) return rendered;
    const thumbnail = () => {
      const reading = withTimeout(read(), MAX_THUMBNAIL_WAIT_MS);
      this.#thumbnails.push(reading.catch(() => undefined));
      return reading;
    };
    return { ...rendered, thumbnail };
  }

  async #render(requested: readonly RequestedRendering[], context: RenderContext): Promise<RenderedOutputs> {
    const endsAt = context.startedAt + timeoutMs(requested);
    const deadline = endsAt + RENDERING_GRACE_MS;
    const remainingMs = Math.max(0, Math.round(deadline - performance.now()));
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(remainingMs)]);
    for (let attempt = 1; ; attempt++) {
      try {
        const transfer = this.#prepared ?? this.#presign(remainingMs);
        this.#prepared = undefined;
        return await this.#invoke(requested, context, { signal, transfer, remainingMs });
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logError("renderer lost", error, { attempt });
        if (signal.aborted) throw rendererSilent(error); // it may be at work still, so it isn't invoked again
        const isOver = performance.now() >= endsAt; // nothing would come of another attempt
        if (attempt === MAX_ATTEMPTS || isOver) throw rendererLost(error);
      }
    }
  }

  /** Stops to wait for results. The renderer ends at the timeout of the capture at the latest. */
  kill(): void {
    if (!this.#hasRendered) this.#ended.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#thumbnails);
    this.#ended.abort();
    await Promise.all(this.#invocations.splice(0).map((objects) => objects.delete()));
  }

  /** Of objects that can be written for so many milliseconds. */
  #presign(lifetimeMs: number): Transfer {
    const objects = new TransferObjects(this.#options.bucket);
    const presign = () => objects.presignParts(maxResponseBytes(this.#options.maxBytes), toSeconds(lifetimeMs));
    return { objects, uploads: setImmediate().then(presign) }; // requests that are being made are sent first
  }

  async #invoke(
    requested: readonly RequestedRendering[],
    { requestId, tenantId, startedAt, clock, reportsPhases }: RenderContext,
    { signal: abortSignal, transfer, remainingMs }: InvokeParts,
  ): Promise<RenderedOutputs> {
    const { functionName: FunctionName, maxBytes } = this.#options;
    const tenant = chooseTenant(tenantId, this.#options);
    const { objects } = transfer;
    this.#invocations.push(objects);
    const uploads = await transfer.uploads;
    const sentAt = performance.now();
    const context = { request_id: requestId, tenant_id: tenantId, elapsed_ms: sentAt - startedAt };
    const outputs = requested.map(({ options, thumbnail }, index) => ({ name: String(index), options, thumbnail }));
    const work = { outputs };
    const call: RenderCall = { work, ...context, uploads, ...(reportsPhases && { phases: true as const }) };
    let Payload = Buffer.from(JSON.stringify(call));
    if (Payload.length > MAX_EVENT_BYTES) {
      const address = await objects.putOptions(Buffer.from(JSON.stringify(work)), toSeconds(remainingMs));
      Payload = Buffer.from(JSON.stringify({ ...call, work: address }));
    }
    const events = await invokeRenderer(
      { FunctionName, Payload, ...(tenant !== undefined && { TenantId: tenant }) },
      { abortSignal },
    ).catch((error) => {
      throw error instanceof TooManyRequestsException ? atCapacity(error) : error;
    });
    return readOutputs(requested, untilAborted(payloads(events), abortSignal), {
      maxBytes,
      onPhase: (phase) => clock.enter(phase),
      onMeasured: (measured, renderedAt) => {
        record(clock, measured, { startedAt, sentAt, renderedAt });
        if (measured.isFirst) emitMetrics({ RendererStarts: 1 });
      },
      readUploaded: async ({ bytes }, renderedAt) => {
        const response = await objects.readParts(bytes);
        clock.record({ phase: "store", name: "transfer", startedAt: renderedAt, endedAt: performance.now() });
        return response;
      },
    });
  }
}

/** Outputs of one request have the same timeout. */
const timeoutMs = ([first]: readonly RequestedOutput[]): number => (first?.options.timeout ?? 0) * 1000;

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
  const message = "The browser could not be started or crashed before the page. Nothing was billed.";
  return new ApiError("INTERNAL_ERROR", message, { cause });
}

function rendererSilent(cause: unknown): ApiError {
  const message = `The browser did not respond within ${RENDERING_GRACE_MS / 1000} s after the time limit of the capture. Nothing was billed.`;
  return new ApiError("INTERNAL_ERROR", message, { cause });
}

function atCapacity(cause: unknown): ApiError {
  const message =
    "The service has no capacity left for this capture. Nothing was billed. Retry the request in a second.";
  return new ApiError("CAPACITY", message, { cause, headers: { "Retry-After": "1" } });
}
