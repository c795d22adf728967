// GET|POST /api/v1/screenshot: captures a page and answers with the image, or with where it is stored.
import { PhaseClock } from "../lib/capture/phase-clock.ts";
import { parseCaptureOptions } from "../lib/contract/capture-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { admitCapture } from "../lib/runtime/admission.ts";
import { streamingApiHandler } from "../lib/runtime/api-handler.ts";
import { type ApiRequest, sentOptions } from "../lib/runtime/api-request.ts";
import { createBrowserLauncher } from "../lib/runtime/browser-launcher.ts";
import { captureAnswer } from "../lib/runtime/capture-answer.ts";
import { type CaptureJob, takeCapture } from "../lib/runtime/take-capture.ts";

const places = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "USAGE_RETENTION_DAYS",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "BASE_URL",
);
const begin = createBrowserLauncher();

export const handler = streamingApiHandler(async (request) => {
  const clock = new PhaseClock();
  const reading = Promise.try(() => readOptions(request));
  const admission = clock.measure("auth", () => admitCapture(request, reading, places));

  // The browser starts beside the admission, and is dropped when that or the options are refused.
  await using begun = new AsyncDisposableStack();
  const browser = begun.use(begin(reading));

  const job = { ...request, ...(await admission), ...(await reading), clock, browser };
  const taken = await takeCapture(job, places);
  const answer = captureAnswer(taken, job.options, clock);
  // Chromium takes its time to go, which is not the caller's.
  return { ...answer, afterwards: Promise.all([taken.cleanedUp, begun.move().disposeAsync()]) };
});

function readOptions(request: ApiRequest): Pick<CaptureJob, "sent" | "options"> {
  const sent = sentOptions(request);
  return { sent, options: parseCaptureOptions(sent) };
}
