// The partial capture of `on_timeout=capture`: the last painted frame of a page that is too busy for a screenshot.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { mimeTypes } from "../../contract/options/formats.ts";
import { quality } from "../../contract/problems/problem.ts";
import { capturedBeforeReady } from "../errors/timeout-errors.ts";
import { describeAttempt } from "../formats/report/describe-attempt.ts";
import { assertDeliverable, assertPixels } from "../formats/result-limits.ts";
import { encodeFrame, lastFrame } from "../formats/screenshot/last-frame.ts";
import { confirmDocument } from "../page/confirm-document.ts";
import { listProblems } from "../problems/problem-record.ts";
import { blockedMetadata, type Capture, finalPage } from "./capture-output.ts";
import type { LaunchedPage } from "./capture-state.ts";
import { imageSettings } from "./plan/image.ts";

export interface TimedOutCapture {
  readonly options: EngineOptions;
  readonly page: LaunchedPage;
  /** What the capture was waiting for when its time ran out. */
  readonly awaited: string;
  /** The warning of the wait that was given up before. */
  readonly givenUp: string | undefined;
}

/**
 * Returns the last frame of the window, or undefined when the options do not allow that or nothing has been painted.
 * Throws when the page is not the one that was requested.
 */
export async function capturePartially(timedOut: TimedOutCapture): Promise<Capture | undefined> {
  const { options, page, awaited, givenUp } = timedOut;
  const { session, activity, budget, window } = page;
  if (options.on_timeout !== "capture" || !activity.document.painted) return undefined;
  // The content of a page that is too busy cannot be checked.
  if (options.fail_if_content_contains || options.fail_if_content_missing) return undefined;
  assertPixels(window, session.limits);
  confirmDocument(page, options.fail_on_status);
  const png = await lastFrame(session.cdp, budget);
  if (!png) return undefined;
  const image = imageSettings(options);
  const { body, format } = await encodeFrame(png, image, page);
  // The first wait that was given up is why the page was not ready; that it was too busy came later.
  const warning = `${givenUp ?? capturedBeforeReady(awaited, activity.pending())} The result is the last frame of the window.`;
  const capture: Capture = {
    ...finalPage(options, activity),
    body,
    format,
    mimeType: mimeTypes[format],
    warnings: [warning],
    problems: listProblems(page.problems),
    quality: quality(page.problems),
    browserAttempt: options.metadata_report ? describeAttempt(page, page.startedAt) : undefined,
    report: undefined,
    metadata: blockedMetadata(options, page),
    slices: [],
    beginFrameUnavailable: undefined,
  };
  assertDeliverable(capture, options.response_type === "base64", session.limits);
  return capture;
}
