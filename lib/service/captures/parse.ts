// Parses the options of a request: of one result or of several outputs, in the query, in a body, or in a signed link.

import { type CaptureOptions, parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { outputsResponseType, parseOutputs } from "../../contract/options/outputs.ts";
import { validationError } from "../../contract/options/parse-options.ts";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { hasBearerHeader } from "../account/authenticate.ts";
import { linkParameters } from "../account/signed-link.ts";
import { requireAssumableRole } from "../customer-storage/destination.ts";
import { type ApiRequest, allowsBody, queryOptions, rawOptions, readCredentials } from "../http/api-request.ts";
import { addHostToLogContext } from "../platform/log-context.ts";
import { requireWebhookAddress } from "../webhooks/webhook-address.ts";
import type { CaptureGroup } from "./capture-group.ts";

/** True for a request with a signature in place of an API key. A key in the header takes precedence over the query. */
export function isSignedLink(request: ApiRequest): boolean {
  const hasSignature = request.query.some(([name]) => name === "signature");
  return !allowsBody(request) && hasSignature && !hasBearerHeader(readCredentials(request));
}

/** The options of one output, as they were sent and as they were parsed. */
export interface ParsedOutput {
  /** Undefined for the only result of a request without `outputs`. */
  readonly group?: Omit<CaptureGroup, "id">;
  readonly options: CaptureOptions;
  /** Shared options included. */
  readonly rawOptions: RawOptions;
}

/** What options request: one result, or a group of several of one page. */
export interface RequestedOutputs {
  /** In the order of the request, never empty. */
  readonly outputs: readonly [ParsedOutput, ...ParsedOutput[]];
  /** True for a request with `outputs`. */
  readonly isGroup: boolean;
  readonly responseType: CaptureOptions["response_type"] | "zip";
  /** As they were sent. */
  readonly rawOptions: RawOptions;
}

type RawOptions = Readonly<Record<string, unknown>>;

/** Parses the options of a capture, with `outputs` or without. Throws `VALIDATION_ERROR`. */
export function parseRawOptions(sent: RawOptions): RequestedOutputs {
  if (!Object.hasOwn(sent, "outputs")) {
    const options = parseCaptureOptions(sent);
    const responseType = options.response_type;
    return { outputs: [{ options, rawOptions: sent }], isGroup: false, responseType, rawOptions: sent };
  }
  const named = parseOutputs(sent);
  const [first, ...others] = named.map(({ name, ...output }) => ({
    ...output,
    group: { output: name, size: named.length },
  }));
  if (!first) throw new Error("Parsed outputs are never empty.");
  return { outputs: [first, ...others], isGroup: true, responseType: outputsResponseType(sent), rawOptions: sent };
}

/** The options of a request. */
export interface ParsedRequest extends RequestedOutputs {
  /** True when a signed link stands for an API key. */
  readonly isSigned: boolean;
}

export interface ParseContext {
  readonly isSigned: boolean;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
}

/** Parses the options of a request. Throws `VALIDATION_ERROR`, or an error of the body. */
export function parseRequest(request: ApiRequest, { isSigned, allowed }: ParseContext): ParsedRequest {
  const sent = isSigned ? linkOptions(request) : rawOptions(request);
  if (isSigned && Object.hasOwn(sent, "outputs")) {
    const message = "can't be used in a signed link, whose response is one result: sign a link for each result";
    throw validationError([["outputs", message]]);
  }
  const parsed = parseRawOptions(sent);
  addHostToLogContext(parsed.outputs[0].options.url); // all outputs are of one page
  for (const { options } of parsed.outputs) {
    if (isSigned) requireSynchronous(options);
    else requireNoFallback(options);
    requireStageSupport(options, allowed);
  }
  return { ...parsed, isSigned };
}

/** A page that embeds the link requests it for every visitor, who is to see the image. */
function requireSynchronous(options: CaptureOptions): void {
  for (const name of ["async", "validate"] as const)
    if (options[name])
      throw validationError([[name, "can't be used in a signed link, whose response is the capture itself"]]);
}

/** Throws `VALIDATION_ERROR` for `validate` in a list of captures, which are all made. */
export function requireNoValidation({ validate }: Pick<CaptureOptions, "validate">): void {
  if (validate) throw validationError([["validate", "applies only to a single capture"]]);
}

/** Throws `VALIDATION_ERROR` for a webhook that this stage may not send, and for a role that it cannot assume. */
export function requireStageSupport(options: CaptureOptions, allowed: AllowedOrigins): void {
  if (options.webhook_url !== undefined) requireWebhookAddress(options.webhook_url, allowed);
  requireAssumableRole(options);
}

/** Throws `VALIDATION_ERROR` for a fallback image outside of a signed link: all other requests keep the status of their errors. */
export function requireNoFallback({ fallback_image }: Pick<CaptureOptions, "fallback_image">): void {
  if (fallback_image === undefined) return;
  throw validationError([["fallback_image", "applies only to signed links, which show an image to visitors"]]);
}

function linkOptions(request: ApiRequest): Record<string, unknown> {
  const query = request.query.filter(([name]) => !linkParameters.some((parameter) => parameter === name));
  return queryOptions({ ...request, query });
}
