// Parses the options of a capture, which may come in a signed link.

import { ApiError } from "../../contract/errors/api-error.ts";
import { type CaptureOptions, parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { type NamedOutput, parseOutputs } from "../../contract/options/outputs.ts";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { hasBearerHeader } from "../account/authenticate.ts";
import { linkParameters } from "../account/signed-link.ts";
import { requireAssumableRole } from "../customer-storage/destination.ts";
import { type ApiRequest, allowsBody, queryOptions, rawOptions, readCredentials } from "../http/api-request.ts";
import { addHostToLogContext } from "../platform/log-context.ts";
import { requireWebhookAddress } from "../webhooks/webhook-address.ts";

/** True for a request with a signature in place of an API key. A key in the header takes precedence over the query. */
export function isSignedLink(request: ApiRequest): boolean {
  const hasSignature = request.query.some(([name]) => name === "signature");
  return !allowsBody(request) && hasSignature && !hasBearerHeader(readCredentials(request));
}

/** The options of a capture, as they were sent and as they were parsed. */
export interface ParsedRequest {
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly options: CaptureOptions;
}

export interface ParseContext {
  readonly isSigned: boolean;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
}

/** Parses the options of a request. Throws `VALIDATION_ERROR`, or an error of the body. */
export function parseCaptureRequest(request: ApiRequest, { isSigned, allowed }: ParseContext): ParsedRequest {
  const sent = isSigned ? linkOptions(request) : rawOptions(request);
  if (isSigned && Object.hasOwn(sent, "outputs")) throw severalInLink();
  const options = parseCaptureOptions(sent);
  addHostToLogContext(options.url);
  if (options.async && isSigned) throw asyncLink();
  if (options.validate && isSigned)
    throw singleOnly("can't be used in a signed link, whose response is the capture itself");
  if (!isSigned) requireNoFallback(options);
  requireStageSupport(options, allowed);
  return { rawOptions: sent, options };
}

/** Throws `VALIDATION_ERROR` for `validate` in a list of captures, which are all made. */
export function requireNoValidation({ validate }: Pick<CaptureOptions, "validate">): void {
  if (validate) throw singleOnly("applies only to a single capture");
}

function singleOnly(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'validate' ${message}.`, { details: { validate: [message] } });
}

/** Throws `VALIDATION_ERROR` for a webhook that this stage may not send, and for a role that it cannot assume. */
export function requireStageSupport(options: CaptureOptions, allowed: AllowedOrigins): void {
  if (options.webhook_url !== undefined) requireWebhookAddress(options.webhook_url, allowed);
  requireAssumableRole(options);
}

/** Throws `VALIDATION_ERROR` for a fallback image outside of a signed link: all other requests keep the status of their errors. */
export function requireNoFallback({ fallback_image }: Pick<CaptureOptions, "fallback_image">): void {
  if (fallback_image === undefined) return;
  const message = "applies only to signed links, which show an image to visitors";
  throw new ApiError("VALIDATION_ERROR", `Option 'fallback_image' ${message}.`, {
    details: { fallback_image: [message] },
  });
}

/** A page that embeds the link requests it for every visitor, who is to see the image. */
function asyncLink(): ApiError {
  const message = "can't be used in a signed link, whose response is the capture itself";
  return new ApiError("VALIDATION_ERROR", `Option 'async' ${message}.`, { details: { async: [message] } });
}

function severalInLink(): ApiError {
  const message = "can't be used in a signed link, whose response is one result: sign a link for each result";
  return new ApiError("VALIDATION_ERROR", `Option 'outputs' ${message}.`, { details: { outputs: [message] } });
}

/** True for a request with `outputs` that no signed link makes. False for a body that cannot be read, whose error comes later. */
export function requestsOutputs(request: ApiRequest): boolean {
  try {
    return !isSignedLink(request) && Object.hasOwn(rawOptions(request), "outputs");
  } catch {
    return false;
  }
}

/** Parses the outputs of a request. Throws `VALIDATION_ERROR`, or an error of the body. */
export function parseOutputsRequest(
  request: ApiRequest,
  { allowed }: Pick<ParseContext, "allowed">,
): readonly NamedOutput[] {
  const outputs = parseOutputs(rawOptions(request));
  addHostToLogContext(outputs[0]?.options.url); // all outputs are of one page
  for (const { options } of outputs) {
    requireNoFallback(options);
    requireStageSupport(options, allowed);
  }
  return outputs;
}

function linkOptions(request: ApiRequest): Record<string, unknown> {
  const query = request.query.filter(([name]) => !linkParameters.some((parameter) => parameter === name));
  return queryOptions({ ...request, query });
}
