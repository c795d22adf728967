// What the package exports.
export {
  ApiError,
  ConnectionError,
  ScreenCaptureError,
  TimeoutError,
  WebhookVerificationError,
} from "./api-error.ts";
export type { Capture } from "./capture.ts";
export {
  type ClientSettings,
  type FinishedCapture,
  type LinkOptions,
  type Options,
  type OutputsOptions,
  ScreenCapture,
} from "./client.ts";
export * from "./generated/error-classes.ts";
export type * from "./generated/types.ts";
export type { CallOptions } from "./transport.ts";
export type { Day } from "./usage.ts";
export { verifyWebhook, type WebhookHeaders } from "./webhook.ts";
