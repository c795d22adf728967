// A capture on behalf of a caller: taken, stored where asked, and logged whether it succeeded or not.
import { randomBytes } from "node:crypto";
import { settlementOfFailure, settlementOfSuccess } from "../accounts/quota-store.ts";
import { type Capture, capture } from "../capture/capture.ts";
import type { PhaseClock } from "../capture/phase-clock.ts";
import type { CaptureOptions } from "../contract/capture-options.ts";
import { ApiError, internalError } from "../contract/errors.ts";
import { mimeTypes } from "../contract/formats.ts";
import { type CaptureFacts, contentDisposition, type ResultLink, type SliceLink } from "../contract/results.ts";
import type { Environment } from "../platform/environment.ts";
import { DEFAULT_LIFETIME_S } from "../results/expiry.ts";
import { linkSecret } from "../results/link-secret-store.ts";
import { resultLink } from "../results/result-link.ts";
import { putResult, resultKey } from "../results/result-store.ts";
import type { CaptureEvent } from "../usage/capture-log.ts";
import { loggableOptions, withoutPassword } from "../usage/loggable-options.ts";
import { recordCapture } from "../usage/usage-store.ts";
import type { AdmittedCapture } from "./admission.ts";
import type { BegunBrowser } from "./browser-launcher.ts";

export interface CaptureJob extends AdmittedCapture {
  readonly options: CaptureOptions;
  /** The options as the caller sent them, for the log. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly sourceIp: string;
  readonly requestId: number;
  readonly startedAt: number;
  readonly clock: PhaseClock;
  readonly browser: BegunBrowser;
}

/** The parts of the environment in which a capture leaves its traces. */
type Places = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "USAGE_RETENTION_DAYS" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL"
>;

export interface Taken {
  readonly facts: CaptureFacts;
  readonly body: Buffer;
  /** Where the result is stored, when the caller asked for that. */
  readonly link?: ResultLink;
  readonly slices?: readonly SliceLink[];
  /** Resolves when nothing is left of the browser, which takes Chromium up to half a second. Never rejects. */
  readonly cleanedUp: Promise<void>;
}

/** Takes a capture and logs it. Throws the ApiError of a failed capture once that is logged. */
export async function takeCapture(job: CaptureJob, places: Places): Promise<Taken> {
  const elapsed = () => Math.round(performance.now() - job.startedAt);
  const record = (outcome: Outcome) =>
    job.clock.measure("store", () => {
      const settlement = outcome.status === "success" ? settlementOfSuccess : settlementOfFailure;
      return recordCapture(
        { activity: places.ACTIVITY_TABLE, usage: places.USAGE_TABLE, retentionDays: places.USAGE_RETENTION_DAYS },
        {
          wantedId: job.requestId,
          attempt: job.allowance.attempt,
          event: logEvent(job, { ...outcome, response_time_ms: elapsed() }),
        },
        settlement(places.USAGE_TABLE, job.allowance),
      );
    });
  let taken: Capture & { cleanedUp: Promise<void> };
  let stored: Pick<Taken, "link" | "slices"> = {};
  try {
    taken = await capture(job.options, job);
    if (job.options.response_type === "json") {
      stored = await job.clock.measure("store", () => storeAll(taken, job.options, places));
    }
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    await record(failure(error));
    throw error;
  }
  const requestId = await record(success(taken));
  return {
    facts: {
      requestId,
      mimeType: taken.mimeType,
      sizeBytes: taken.body.length,
      responseTimeMs: elapsed(),
      fromCache: false,
      finalUrl: taken.finalUrl,
      warnings: taken.warnings,
      metadata: taken.metadata,
      statusCode: taken.statusCode,
    },
    body: taken.body,
    cleanedUp: taken.cleanedUp,
    ...stored,
  };
}

async function storeAll(taken: Capture, { attachment_name: name }: CaptureOptions, places: Places) {
  // Shown, a document would run its scripts at the bucket's address, which cannot forbid it and is that of all results.
  const disposition = contentDisposition(name ?? (taken.format === "html" ? "page.html" : undefined));
  const put = (image: Pick<Capture, "body" | "format">) => store(image, disposition, places);
  const [link, ...pieces] = await Promise.all([taken, ...taken.slices].map(put));
  const slices = taken.slices.map(({ top, height, body }, index) => ({
    url: pieces[index]?.url ?? "",
    top,
    height,
    sizeBytes: body.length,
  }));
  return { link, slices };
}

async function store(
  { body, format }: Pick<Capture, "body" | "format">,
  disposition: string,
  places: Places,
): Promise<ResultLink> {
  const key = resultKey(DEFAULT_LIFETIME_S, randomBytes(24), format);
  const [secret] = await Promise.all([
    linkSecret(places.ACCOUNTS_TABLE),
    putResult(places.RESULTS_BUCKET, key, body, { mimeType: mimeTypes[format], disposition }),
  ]);
  const expiresAt = Math.ceil(Date.now() / 1000 + DEFAULT_LIFETIME_S) * 1000;
  return { url: resultLink({ baseUrl: places.BASE_URL, key, expiresAt, secret }), expiresAt };
}

type Outcome = Pick<CaptureEvent, "status" | "http_status_code" | "error_message" | "file_size_bytes">;

/** A successful log has neither a status code nor a message: the interface says null. */
function success({ body }: Capture): Outcome {
  return { status: "success", http_status_code: null, error_message: null, file_size_bytes: body.length };
}

function failure(error: ApiError): Outcome {
  return {
    status: "failed",
    http_status_code: error.target?.http_status_code ?? null,
    error_message: `${error.code}: ${error.message}`.toWellFormed(), // it may repeat what a page or a caller wrote
    file_size_bytes: 0,
  };
}

function logEvent(job: CaptureJob, outcome: Outcome & Pick<CaptureEvent, "response_time_ms">): CaptureEvent {
  const { options, sent, sourceIp } = job;
  const { account, key } = job.caller;
  return {
    user_id: account.id,
    api_key_id: key.id,
    url: withoutPassword(options.url ?? "").toWellFormed(),
    options: loggableOptions(sent),
    format: options.format,
    cached: false,
    ip_address: sourceIp,
    api_key: { id: key.id, label: key.label, key_prefix: key.key_prefix },
    ...outcome,
  };
}
