// POST /try: captures the page of a visitor without an API key, and streams its phases as they start, then its picture.
//
// The response is a stream and not a job that is polled: the invocation that captures knows the phases the moment they start, so no
// other function has to store or read them. The picture is in the stream, so that it has no address that others could guess, link, or embed.
import { PassThrough } from "node:stream";
import { type ApiError, errorBody, toApiError } from "../../contract/errors/api-error.ts";
import type { KeylessEvent } from "../../contract/keyless-capture.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { browserUseFor } from "../../engine/browser/browser-use.ts";
import type { StartBrowser } from "../../engine/browser-launcher.ts";
import { captureOne } from "../../engine/pipeline/capture.ts";
import { type Phase, PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { emitEgressMetrics, phaseFields } from "../captures/capture-metrics.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { StreamedResponse } from "../http/response.ts";
import { cleanUp } from "../platform/clean-up.ts";
import { logError, logInfo } from "../platform/log.ts";
import { addHostToLogContext } from "../platform/log-context.ts";
import { supportAddress } from "../platform/operator-identity.ts";
import { shortenAddress } from "../sessions/network-address.ts";
import { countForNetwork, countLaunchAhead, type KeylessLimits, startKeylessCapture } from "./keyless-limits.ts";
import { type KeylessRequest, keylessCaptureOptions } from "./keyless-options.ts";
import { findPicture, type StoredPicture, storePicture } from "./picture-store.ts";

/** A request; its options are undefined without an address. */
export type KeylessCall = RouteCall<"page", KeylessRequest | undefined, keyof KeylessLimits | "ACTIVITY_TABLE">;

interface CaptureCall extends KeylessCall {
  readonly options: KeylessRequest;
}

/**
 * Answers with the picture of the address, captured within the last hour or now. Throws `RATE_LIMITED` or `CAPACITY` before anything is
 * captured; the error of a capture is the last event of its stream. A request without an address is for the function and its browser to
 * start: the page sends it when its field is focused.
 */
export async function serveKeyless(call: KeylessCall, startBrowser: StartBrowser): Promise<StreamedResponse<never>> {
  const { options } = call;
  return options === undefined ? wake(call, startBrowser) : serveCapture({ ...call, options }, startBrowser);
}

/** All captures need the same browser, regardless of their address. */
const ANY_URL = "https://example.com/";

/**
 * Starts Chromium, for which the first capture of a sandbox would wait, if the network and the day have both captures and launches left.
 * The answer is the same if they don't: the page has nothing to say about it.
 */
async function wake({ request, env }: KeylessCall, startBrowser: StartBrowser): Promise<StreamedResponse<never>> {
  const { sourceIp, receivedAt: now } = request;
  if (await countLaunchAhead({ sourceIp, now }, env))
    await startBrowser.prepare?.(browserUseFor(keylessCaptureOptions(ANY_URL)));
  return { status: 204 };
}

async function serveCapture(call: CaptureCall, startBrowser: StartBrowser): Promise<StreamedResponse<never>> {
  const { request, options, env } = call;
  const now = request.receivedAt;
  addHostToLogContext(options.url);
  const counted = await countForNetwork({ sourceIp: request.sourceIp, now }, env);
  const stored = await findPicture(env.ACTIVITY_TABLE, options.url, now);
  const events = new EventStream(request.startedAt);
  if (stored) {
    logOutcome(call, { isCached: true });
    events.picture(stored, { fromCache: true });
    return events.response();
  }
  const running = await startKeylessCapture(now, env).catch(async (error) => {
    await cleanUp(counted.forget, "keyless capture still counted"); // it's not this network that is at its limit
    throw error;
  });
  const work = capturePicture(call, events, startBrowser);
  // The capture of a visitor who has left goes on, and answers the next one.
  request.afterResponse(() => work.finally(() => running.release()), "keyless capture not released"); // it expires by itself
  return events.response();
}

/** Captures the page, and ends the stream with its picture or its error. */
async function capturePicture(call: CaptureCall, events: EventStream, startBrowser: StartBrowser): Promise<void> {
  const { request, options, env } = call;
  const clock = new PhaseClock(undefined, { onStarted: (phase, startedAt) => events.phase(phase, startedAt) });
  await using browser = startBrowser(Promise.resolve(browserUseFor(options.options)));
  try {
    const context = { browser, startedAt: request.startedAt, clock };
    const { body } = await captureOne(engineOptions(options.options), context);
    const picture = { picture: body, capturedAt: request.receivedAt };
    await storePicture(env.ACTIVITY_TABLE, options.url, picture).catch((error) =>
      logError("keyless picture not stored", error),
    );
    logOutcome(call, { isCached: false, clock });
    events.picture(picture, { fromCache: false });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.blame === "us") logError("keyless capture failed", error);
    logOutcome(call, { isCached: false, error, clock });
    events.error(error, errorBody(error, request.requestId, supportAddress()).error);
  } finally {
    emitEgressMetrics(request.requestId, browser.egressRefusals());
  }
}

/** Logs who had what captured, as far as an operator needs it to see abuse: the network and the host. */
function logOutcome(
  { request }: CaptureCall,
  { isCached, error, clock }: { readonly isCached: boolean; readonly error?: ApiError; readonly clock?: PhaseClock },
): void {
  logInfo("keyless capture", {
    network: shortenAddress(request.sourceIp),
    is_cached: isCached,
    milliseconds: Math.round(performance.now() - request.startedAt),
    ...(error && { code: error.code, blame: error.blame }),
    ...(clock && phaseFields(clock.durations())),
  });
}

/** The response as newline-delimited JSON. What is written after a visitor has left goes nowhere. */
class EventStream {
  readonly #startedAt: number;
  readonly #stream = new PassThrough();
  #phase: Phase | undefined;

  /** `startedAt` is the time of the request by the monotonic clock. */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  response(): StreamedResponse<never> {
    return { status: 200, headers: { "Content-Type": "application/x-ndjson" }, body: this.#stream };
  }

  /** A phase consists of several steps; only the start of the first one is an event. */
  phase(phase: Phase, startedAt: number): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#write({ phase, at_ms: this.#elapsed(startedAt) });
  }

  picture({ picture, capturedAt }: StoredPicture, { fromCache }: { readonly fromCache: boolean }): void {
    const facts = { captured_at: new Date(capturedAt).toISOString(), from_cache: fromCache };
    const total = this.#elapsed(performance.now());
    this.#end({ picture: { mime_type: "image/webp", data: picture.toString("base64"), total_ms: total, ...facts } });
  }

  error({ code }: ApiError, message: string): void {
    this.#end({ error: { code, message } });
  }

  #elapsed(at: number): number {
    return Math.round(at - this.#startedAt);
  }

  #write(event: KeylessEvent): void {
    if (this.#stream.writable) this.#stream.write(`${JSON.stringify(event)}\n`);
  }

  #end(event: KeylessEvent): void {
    this.#write(event);
    this.#stream.end();
  }
}
