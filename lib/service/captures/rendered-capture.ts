// A capture that has succeeded, with the facts that its response states.

import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Rendered } from "../rendering/renderer.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import type { CaptureRequest } from "./capture-request.ts";

/** A capture, rendered or cached. */
export interface RenderedCapture
  extends Pick<
    Rendered,
    "format" | "mimeType" | "finalUrl" | "statusCode" | "warnings" | "problems" | "quality" | "metadata"
  > {
  /** Id of its log. */
  readonly requestId: number;
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  /** Until when a cached result is fresh, in milliseconds since 1970; undefined for a new one. */
  readonly freshUntil?: number;
  /** Since when a cached result is stale, in milliseconds since 1970; undefined while it is fresh. */
  readonly staleSince: number | undefined;
  readonly sizeBytes: number;
  /** Undefined for a stored result whose bytes are not part of the response: a link stands for them. */
  readonly body: Buffer | undefined;
  /** The stored result, if it is stored. */
  readonly stored: StoredCapture | undefined;
  /** Its address in the customer's storage, if `storage_return_location` asks for it. */
  readonly storageLocation?: string;
  /** Why the customer's storage may not have it, although bytes of it were sent there. */
  readonly storageError?: ApiError;
}

/** A capture that has succeeded. */
export interface SucceededCapture {
  readonly capture: CaptureRequest;
  readonly result: RenderedCapture;
}

/** A capture that has ended: with a result, which is billed unless it is cached, or with an error, which is free. */
export type CommittedCapture =
  | SucceededCapture
  | { readonly capture: CaptureRequest; readonly error: ApiError; readonly requestId: number };

/** The captures of a request, which have ended. */
export interface CreatedCaptures {
  /** How often the page was loaded; 0 for cached results. */
  readonly loads: number;
  readonly fromCache: boolean;
  /** In the order of the request. */
  readonly captures: readonly CommittedCapture[];
}
