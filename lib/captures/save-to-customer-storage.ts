// A capture on its way into the caller's own storage.

import { resolveDestination } from "../customer-storage/destination.ts";
import { putObject, requireStorageAddress } from "../customer-storage/put-client.ts";
import type { Capture } from "../engine/pipeline/capture-output.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import type { CaptureRequest } from "./render-capture.ts";

const TIMEOUT_MS = 30_000;
/** Of the function's two minutes, when this ends at the latest: a capture may have used up most of them. */
const LATEST_MS = 115_000;

/** Puts a capture into storage; resolves to the object's address. Throws `STORAGE_FAILED` or `URL_NOT_ALLOWED`. */
export type SaveToCustomerStorage = (capture: Pick<Capture, "body" | "format" | "mimeType">) => Promise<string>;

/**
 * How an order's capture is put into the caller's storage; undefined where none is asked for. Throws `URL_NOT_ALLOWED` for
 * one that is refused however the capture turns out.
 */
export function saveToCustomerStorage({
  options,
  caller,
  startedAt,
}: CaptureRequest): SaveToCustomerStorage | undefined {
  const destination = resolveDestination(options, caller.account.id);
  if (!destination) return undefined;
  const allowed = allowedOrigins();
  requireStorageAddress(destination, allowed);
  return ({ body, format, mimeType }) => {
    const timeoutMs = Math.min(TIMEOUT_MS, startedAt + LATEST_MS - performance.now());
    const disposition = contentDisposition(options.attachment_name);
    return putObject(destination, { body, format, mimeType, disposition }, { allowed, timeoutMs });
  };
}
