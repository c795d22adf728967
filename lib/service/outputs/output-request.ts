// The captures of a request with `outputs`: built once, one for each output.
import type { NamedOutput, outputsResponseType } from "../../contract/options/outputs.ts";
import type { RunningOperation } from "../aws/running-count.ts";
import type { QuotaRemaining } from "../billing/quota-remaining.ts";
import type { CachedCapture } from "../captures/cache-lookup.ts";
import type { CaptureRequest } from "../captures/capture-request.ts";

/** The capture of one output. */
export interface OutputRequest {
  readonly name: string;
  readonly capture: CaptureRequest;
}

/** A request with `outputs` that was admitted. */
export interface OutputsRequest {
  /** In the order of the request. */
  readonly outputs: readonly OutputRequest[];
  /** The options as they were sent. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly responseType: ReturnType<typeof outputsResponseType>;
  /** The cached results, if all outputs have one. */
  readonly cached: readonly CachedCapture[] | undefined;
  /** What counts it as running; undefined when it is not counted. */
  readonly running: RunningOperation | undefined;
  /** Undefined if it is not known. */
  readonly quotaRemaining: QuotaRemaining | undefined;
}

/** The outputs of a request, as they were sent and as they were parsed. */
export interface ParsedOutputs {
  readonly outputs: readonly NamedOutput[];
  readonly rawOptions: Readonly<Record<string, unknown>>;
}
