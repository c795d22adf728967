// Response size: which results a response carries, and which are stored so that it redirects to them. Lambda streams slowly, and
// cuts a response when the function times out.
import { ApiError } from "../../contract/errors/api-error.ts";
import { type CaptureRequest, isAnsweredWithBody } from "./capture-request.ts";

type Answered = Pick<CaptureRequest, "options" | "job" | "startedAt" | "maxBodyBytes">;

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html#config-rs-bandwidth */
const UNTHROTTLED_BYTES = 6_000_000;
const BYTES_PER_SECOND = 2_000_000;
const MAX_STREAMED_BYTES = 200_000_000;

/**
 * When a response must be sent, in milliseconds after its request: the function ends after two minutes, and still has to
 * store and record the capture.
 */
const RESPONSE_END_MS = 112_000;

/** Bytes that Lambda streams from now until the function ends. */
function streamableBytes({ startedAt }: Answered, now: number): number {
  const seconds = Math.max(0, startedAt + RESPONSE_END_MS - now) / 1000;
  return Math.min(MAX_STREAMED_BYTES, UNTHROTTLED_BYTES + seconds * BYTES_PER_SECOND);
}

/**
 * True when the response redirects to the stored result, because it is larger than the stage streams or than the time allows.
 * Base64 text is never redirected, because what is stored is the result itself. `now` is on the monotonic clock.
 */
export function isRedirected(request: Answered, sizeBytes: number, now = performance.now()): boolean {
  if (!isAnsweredWithBody(request) || request.options.response_type === "base64") return false;
  return sizeBytes > Math.min(request.maxBodyBytes, streamableBytes(request, now));
}

/** How many bytes a response of several results carries. `now` is on the monotonic clock. */
export function archiveBytes(request: Answered, now = performance.now()): number {
  return Math.min(request.maxBodyBytes, streamableBytes(request, now));
}

/** Throws `RESULT_TOO_LARGE` for base64 text that cannot be sent completely before the function ends. */
export function requireSendable(request: Answered, sizeBytes: number, now = performance.now()): void {
  if (!isAnsweredWithBody(request) || request.options.response_type !== "base64") return;
  const textBytes = Math.ceil(sizeBytes / 3) * 4;
  const allowed = streamableBytes(request, now);
  if (textBytes <= allowed) return;
  const message =
    `The base64 text would have ${toMegabytes(textBytes)} MB, and ${toMegabytes(allowed)} MB can be sent in the time that is ` +
    "left. Leave response_type out, or store the result with response_type=json.";
  throw new ApiError("RESULT_TOO_LARGE", message);
}

function toMegabytes(bytes: number): string {
  return (Math.floor(bytes / 100_000) / 10).toLocaleString("en");
}
