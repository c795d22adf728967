// Stores the result of a capture: in our bucket, in the customer's own storage, or in both at once.

import type { ApiError } from "../../contract/errors/api-error.ts";
import { resolveDestination } from "../customer-storage/destination.ts";
import { putObject, requireStorageAddress, type Upload } from "../customer-storage/put-client.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Rendered } from "../rendering/renderer.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { DEFAULT_LIFETIME_S } from "../results/lifetime-class.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { storeCapture } from "../results/stored-capture-store.ts";
import type { StoredReport } from "../results/stored-report.ts";
import { cacheLifetimeSeconds, storedAttachmentName } from "./cache-key.ts";
import { type CaptureRequest, type CaptureResources, storageSeconds } from "./capture-request.ts";
import { storeReport } from "./report-file.ts";
import { isRedirected, requireSendable } from "./response-size.ts";

/** Where a result is stored. */
export interface StoredResult {
  /** In our bucket, if it is stored there. */
  readonly stored: StoredCapture | undefined;
  /** The bytes of the response; undefined when it redirects to the stored result. */
  readonly body: Buffer | undefined;
  /** Its address in the customer's storage, if the response is to state it. */
  readonly storageLocation?: string;
  /** Why the customer's storage may not have it, although bytes of it were sent there. */
  readonly storageError?: ApiError;
  /** Where its report is stored, if it has one. */
  readonly report: StoredReport | undefined;
}

/** Uploads a capture to the customer's storage. Throws `STORAGE_FAILED` if that gets no byte of it. */
export type SaveToCustomerStorage = (capture: Pick<Rendered, "body" | "format" | "mimeType">) => Promise<Upload>;

export interface StoreParts {
  readonly request: CaptureRequest;
  readonly save: SaveToCustomerStorage | undefined;
}

/**
 * Stores a capture wherever its request wants it, and in our bucket if it is too large for the response, or if the customer's storage
 * got bytes of it and then failed. Throws `STORAGE_FAILED` when the customer's storage gets none, and `RESULT_TOO_LARGE` for too large a
 * base64 text.
 */
export async function storeResult(
  rendered: Rendered,
  { request, save }: StoreParts,
  env: CaptureResources,
): Promise<StoredResult> {
  requireSendable(request, rendered.body.length);
  const isLinked = isRedirected(request, rendered.body.length);
  const [ours, theirs, reported] = await request.clock.measure("store", () =>
    Promise.allSettled([
      saveToS3(rendered, { request, isLinked }, env),
      save?.(rendered),
      storeReport(env.RESULTS_BUCKET, rendered, lifetime(request, isLinked) || DEFAULT_LIFETIME_S),
    ]),
  );
  if (theirs.status === "rejected") throw theirs.reason;
  if (ours.status === "rejected") throw ours.reason;
  if (reported.status === "rejected") throw reported.reason;
  const report = reported.value;
  const { storageLocation, storageError } = describeUpload(theirs.value, request);
  const kept =
    ours.value ?? (storageError && (await storeFor(DEFAULT_LIFETIME_S, rendered, { request, isLinked }, env)));
  const stored = kept && {
    ...kept,
    ...(report && { report }),
    ...(storageLocation !== undefined && { storage_location: storageLocation }),
    ...(storageError && { storage_error: { code: storageError.code, message: storageError.message } }),
  };
  return {
    stored,
    body: isLinked ? undefined : rendered.body,
    report,
    ...(storageLocation !== undefined && { storageLocation }),
    ...(storageError && { storageError }),
  };
}

function describeUpload(
  upload: Upload | undefined,
  { options }: Pick<CaptureRequest, "options">,
): Pick<StoredResult, "storageLocation" | "storageError"> {
  if (!upload) return {};
  if ("error" in upload) return { storageError: upload.error };
  return options.storage_return_location ? { storageLocation: upload.location } : {};
}

interface SaveParts {
  readonly request: CaptureRequest;
  /** True when the response links to the result instead of carrying it. */
  readonly isLinked: boolean;
}

/** Stores a capture for as long as the caller or the cache needs it; does nothing when neither does. */
async function saveToS3(
  rendered: Rendered,
  parts: SaveParts,
  env: Pick<CaptureResources, "RESULTS_BUCKET">,
): Promise<StoredCapture | undefined> {
  const lifetimeSeconds = lifetime(parts.request, parts.isLinked);
  return lifetimeSeconds === 0 ? undefined : storeFor(lifetimeSeconds, rendered, parts, env);
}

function storeFor(
  lifetimeSeconds: number,
  rendered: Rendered,
  { request, isLinked }: SaveParts,
  { RESULTS_BUCKET }: Pick<CaptureResources, "RESULTS_BUCKET">,
): Promise<StoredCapture> {
  return storeCapture(RESULTS_BUCKET, rendered, {
    lifetimeSeconds,
    disposition: disposition(rendered, storedName(request, isLinked)),
    accountId: request.caller.account.id,
  });
}

/** How long the caller or the cache needs the result, in seconds; 0 when neither does. */
function lifetime(request: CaptureRequest, isLinked: boolean): number {
  const linkSeconds = isLinked ? DEFAULT_LIFETIME_S : (storageSeconds(request) ?? 0);
  return Math.max(linkSeconds, request.cache ? cacheLifetimeSeconds(request.cache) : 0);
}

/** A document is always downloaded: shown, it would run its scripts at the bucket's origin, which all results share. */
function disposition({ format }: Rendered, name: string | undefined): string {
  const isPage = format === "html" || format === "mhtml";
  return contentDisposition(name ?? (isPage ? `page.${format}` : undefined));
}

/** A cached result has no file name of a request that it was not stored for: other requests get it, too. */
function storedName({ options, cache }: CaptureRequest, isLinked: boolean): string | undefined {
  return isLinked && !cache ? options.attachment_name : storedAttachmentName(options);
}

const TIMEOUT_MS = 30_000;
/** The function ends after two minutes, and the capture may have used most of them. */
const LATEST_MS = 115_000;

/**
 * How a capture is put into the customer's storage; undefined when the request does not ask for it. Throws
 * `URL_NOT_ALLOWED` for an address that is refused regardless of the object.
 */
export function saveToCustomerStorage({
  options,
  caller,
  startedAt,
  job,
}: Pick<CaptureRequest, "options" | "caller" | "startedAt" | "job">): SaveToCustomerStorage | undefined {
  const destination = resolveDestination(options, caller.account.id);
  if (!destination) return undefined;
  const allowed = allowedOrigins();
  requireStorageAddress(destination, allowed);
  return ({ body, format, mimeType }) => {
    const timeoutMs = Math.min(TIMEOUT_MS, startedAt + LATEST_MS - performance.now());
    const object = { body, format, mimeType, disposition: contentDisposition(options.attachment_name) };
    return putObject(destination, object, { allowed, timeoutMs, ...(job && { beforeBody: job.startDelivery }) });
  };
}
