// What the package exports.
export {
  ApiError,
  ConnectionError,
  ScreenCaptureError,
  TimeoutError,
  WebhookVerificationError,
} from "./api-error.ts";
export type { Capture, CaptureInfo } from "./capture.ts";
export { type ClientSettings, ScreenCapture, type WaitOptions } from "./client.ts";
export * from "./generated/error-classes.ts";
export type * from "./generated/types.ts";
// These names are in the generated types, too: there, they are what the API takes and returns for every method.
export type { CaptureOptions, OutputsOptions } from "./options.ts";
export type { CallOptions, Retry } from "./transport.ts";
export type { Day } from "./usage.ts";
export { verifyWebhook, type WebhookHeaders } from "./webhook.ts";
export type {
  CaptureFailedEvent,
  CaptureSucceededEvent,
  FailedCapture,
  SucceededCapture,
  TestEvent,
  WebhookEvent,
} from "./webhook-event.ts";
