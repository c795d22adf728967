// The events of webhooks: a union that `type` tells apart.
import type { CaptureState, ErrorBody } from "./generated/types.ts";

interface Event<Type extends string, Data> {
  readonly type: Type;
  /** When the capture ended; for a test event, when it was sent. */
  readonly timestamp: string;
  readonly data: Data;
}

/** An asynchronous capture that has succeeded. */
export type SucceededCapture = CaptureState & {
  readonly status: "success";
  /**
   * Signed link to the stored result. With `outputs` it's absent: each output has its own. It's `null` in the webhook that you send again
   * after the result has expired or was deleted: see `unavailable_reason`.
   */
  readonly url: string;
};

/** An asynchronous capture that has failed. */
export type FailedCapture = CaptureState & {
  readonly status: "failed";
  /** The error that a synchronous capture would return. */
  readonly error: ErrorBody;
};

/** The event of a capture that has succeeded. */
export type CaptureSucceededEvent = Event<"capture.succeeded", SucceededCapture>;
/** The event of a capture that has failed. */
export type CaptureFailedEvent = Event<"capture.failed", FailedCapture>;
/** The event that `testWebhook` sends. */
export type TestEvent = Event<"test", { readonly message: string; readonly request_id?: undefined }>;

/** The body of a webhook. It doesn't contain the file: download it from `data.url`. */
export type WebhookEvent = CaptureSucceededEvent | CaptureFailedEvent | TestEvent;
