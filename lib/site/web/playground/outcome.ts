// What the result pane shows: no capture yet, one that runs, or how one ended.
import type { RunningStatus } from "./capture-run.ts";
import type { PictureSize } from "./picture-size.ts";
import type { Picture } from "./picture-view.tsx";
import type { RequestOptions } from "./request-options.ts";
import type { CaptureResponse, ServiceError } from "./send-capture.ts";

export type Outcome =
  | {
      readonly state: "idle";
      /** True if a capture ran when the page was left, for which there is no key yet. */
      readonly hasLeftCapture: boolean;
    }
  | {
      readonly state: "running";
      /** In milliseconds since 1970. */
      readonly startedAt: number;
      readonly status: RunningStatus;
      /** What the browser does; undefined if the service doesn't say it. */
      readonly phase?: string | undefined;
      /** True for a capture whose response says nothing until it ends. */
      readonly isSynchronous: boolean;
      readonly isCancelling: boolean;
    }
  | { readonly state: "cancelled"; readonly text: string }
  | { readonly state: "failed"; readonly error: ServiceError; readonly sent: RequestOptions }
  | Ended;

/** How a capture ended that got a response. */
export interface Ended {
  readonly state: "done";
  readonly response: CaptureResponse;
  readonly sent: RequestOptions;
  readonly fileName: string;
  /** The size of a picture that this browser can show. */
  readonly size: PictureSize | undefined;
  /** The last picture before this result. */
  readonly before: Picture | undefined;
}

/** True for a response with a result, or with several of which any may have failed. */
export function hasResult({ response: { error, state } }: Ended): boolean {
  return error === undefined || state?.outputs !== undefined;
}
