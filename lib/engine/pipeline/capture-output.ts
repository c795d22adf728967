// The finished capture, as the API delivers it: the result, the final URL and status, warnings and metadata.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { type Format, isVideoFormat, mimeTypes } from "../../contract/options/formats.ts";
import type { CaptureReport } from "../../contract/problems/capture-report.ts";
import { type Problem, quality } from "../../contract/problems/problem.ts";
import { withoutCredentials } from "../errors/target-report.ts";
import { pageCount } from "../formats/pdf/pdf-stream.ts";
import { type AttemptReport, describeAttempt } from "../formats/report/describe-attempt.ts";
import { assertDeliverable } from "../formats/result-limits.ts";
import type { Slice } from "../formats/screenshot/slices.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import type { PageActivity } from "../page/page-activity.ts";
import { listProblems } from "../problems/problem-record.ts";
import { type CaptureMetadata, type CapturingPage, type LaunchedPage, requireOutput } from "./capture-state.ts";
import { reportsBlocked } from "./plan/blocking.ts";
import type { PlanVariant } from "./plan/plan-variant.ts";

export interface Capture {
  readonly body: Buffer;
  readonly format: Format;
  /** The first frame of a video, as a JPEG or PNG. */
  readonly firstFrame?: Buffer;
  /** How many pages a PDF has. */
  readonly pages?: number;
  readonly mimeType: string;
  /** URL of the page that was captured; null for HTML and Markdown. */
  readonly finalUrl: string | null;
  /** HTTP status of the page; null for HTML and Markdown. */
  readonly statusCode: number | null;
  /** What was degraded, one sentence each. */
  readonly warnings: readonly string[];
  /** What is wrong with it, the worst first. */
  readonly problems: readonly Problem[];
  /** 100 minus what the problems take from it, not below 0. */
  readonly quality: number;
  /** How this attempt came about, where the caller wants a report. */
  readonly browserAttempt: AttemptReport | undefined;
  /** How the capture came about, where the caller wants a report. */
  readonly report: CaptureReport | undefined;
  /** What the caller wants to know about the page and its image. */
  readonly metadata: CaptureMetadata;
  /** Why frames could not be controlled by `HeadlessExperimental.beginFrame`; undefined when they could, or need not. */
  readonly beginFrameUnavailable: string | undefined;
  /** The image in slices. */
  readonly slices: readonly Slice[];
}

/** How the attempt differed from the first one. */
export interface BrowserAttemptVariant extends PlanVariant {
  readonly beginFrameUnavailable?: string | undefined;
}

/** Throws `RESULT_TOO_LARGE` when the result cannot be delivered. */
export function finishCapture(options: EngineOptions, page: CapturingPage, variant: BrowserAttemptVariant): Capture {
  const { activity, session, slices, metadata, warnings, problems } = page;
  const { body, format, firstFrame } = requireOutput(page);
  assertDeliverable({ body, format, slices }, options.response_type === "base64", session.limits);
  return {
    ...finalPage(options, activity),
    body,
    format,
    ...(firstFrame && { firstFrame }),
    ...(format === "pdf" && { pages: pageCount(body) }),
    mimeType: mimeTypes[format],
    warnings: [...variantWarnings(options, variant), ...warnings],
    problems: listProblems(problems),
    quality: quality(problems),
    browserAttempt: options.metadata_report ? describeAttempt(page, page.startedAt) : undefined,
    report: undefined,
    metadata: { ...metadata, ...blockedMetadata(options, page) },
    slices,
    beginFrameUnavailable: variant.beginFrameUnavailable,
  };
}

/** The report of what was blocked, where the caller requested blocking. */
export function blockedMetadata(options: EngineOptions, { blocked }: Pick<LaunchedPage, "blocked">): CaptureMetadata {
  return reportsBlocked(options) ? { blocked } : {};
}

export function finalPage(
  { url }: EngineOptions,
  { document }: PageActivity,
): Pick<Capture, "finalUrl" | "statusCode"> {
  if (url === undefined) return { finalUrl: null, statusCode: null };
  return { finalUrl: withoutCredentials(document.url), statusCode: document.response?.status ?? null };
}

function variantWarnings({ format }: EngineOptions, variant: BrowserAttemptVariant): CapturedPage["warnings"] {
  const { onlyHides, beginFrameUnavailable } = variant;
  const warnings: string[] = [];
  if (onlyHides) {
    warnings.push(
      "A click to close a banner or dialog navigated to another page; the capture started over and hid it.",
    );
  }
  if (beginFrameUnavailable !== undefined && isVideoFormat(format)) {
    warnings.push(`The video was recorded in real time instead of frame by frame: ${beginFrameUnavailable}.`);
  }
  return warnings;
}
