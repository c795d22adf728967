// A request for a capture, from its key to its answer.
import { PhaseClock } from "../capture/phase-clock.ts";
import { type CaptureOptions, parseCaptureOptions } from "../contract/capture-options.ts";
import { DEFAULT_LIFETIME_S } from "../results/expiry.ts";
import { linkSecret } from "../results/link-secret-store.ts";
import { admitCapture } from "./admission.ts";
import type { Answer } from "./answer.ts";
import { type ApiRequest, sentOptions } from "./api-request.ts";
import type { BegunBrowser } from "./browser-launcher.ts";
import { captureAnswer } from "./capture-answer.ts";
import { type CaptureOrder, type CapturePlaces, takeCapture } from "./take-capture.ts";

export interface Serving {
  /** Begins a browser once what it is given resolves, and not at all when that rejects. */
  readonly begin: (go: Promise<unknown>) => BegunBrowser;
  readonly places: CapturePlaces;
}

/** Captures what a request asks for. Throws the ApiError of one that is refused or fails. */
export async function serveCapture(request: ApiRequest, { begin, places }: Serving): Promise<Answer> {
  const clock = new PhaseClock();
  const reading = Promise.try(() => readOptions(request));
  const admission = clock.measure("auth", () => admitCapture(request, reading, places));

  // The browser starts beside the admission, and is dropped when that or the options are refused.
  await using begun = new AsyncDisposableStack();
  const browser = begun.use(begin(reading));

  const order: CaptureOrder = { ...request, ...(await admission), ...(await reading), clock };
  const keptSeconds = order.options.response_type === "json" ? DEFAULT_LIFETIME_S : undefined;
  const taken = await takeCapture(order, { browser, keptSeconds }, places);
  const secret = () => linkSecret(places.ACCOUNTS_TABLE);
  const answer = await captureAnswer(taken, order.options, clock, { baseUrl: places.BASE_URL, secret });
  // Chromium takes its time to go, which is not the caller's.
  return { ...answer, afterwards: Promise.all([taken.cleanedUp, begun.move().disposeAsync()]) };
}

function readOptions(request: ApiRequest): { sent: Record<string, unknown>; options: CaptureOptions } {
  const sent = sentOptions(request);
  return { sent, options: parseCaptureOptions(sent) };
}
