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
      readonly isCancelling: boolean;
    }
  | { readonly state: "cancelled"; readonly text: string }
  | { readonly state: "failed"; readonly error: ServiceError }
  | {
      readonly state: "done";
      readonly response: CaptureResponse;
      readonly sent: RequestOptions;
      readonly fileName: string;
      /** The size of a picture that this browser can show. */
      readonly size: PictureSize | undefined;
      /** The last picture before this result. */
      readonly before: Picture | undefined;
    };
