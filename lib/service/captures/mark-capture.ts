// Marks the results of captures with an API key for tests: pictures carry a word across them, documents a line of text. Videos and
// PDFs are marked frame by frame and page by page as they are made.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { type Format, formatKind, isImageFormat } from "../../contract/options/formats.ts";
import { drawTestMark, TEST_NOTE } from "../../engine/outputs/test-mark.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { Caller } from "../account/account.ts";
import { isTestPrefix } from "../keys/api-key.ts";

/** True for a caller whose captures are free and marked. */
export function isTestCaller({ key }: Pick<Caller, "key">): boolean {
  return isTestPrefix(key.key_prefix);
}

/** The options as they apply to a caller: with a mark for an API key for tests. */
export function optionsFor(options: CaptureOptions, caller: Pick<Caller, "key">): CaptureOptions {
  return isTestCaller(caller) ? { ...options, test_mark: true } : options;
}

/** Marks a result, if its options say so. */
export async function markCapture(
  rendered: Capture,
  { test_mark, image_quality: quality }: Pick<CaptureOptions, "test_mark" | "image_quality">,
): Promise<Capture> {
  const { body, format } = rendered;
  if (!test_mark) return rendered;
  if (formatKind(format) === "document") return { ...rendered, body: withNote(body, format) };
  if (!isImageFormat(format)) return rendered;
  const slices = [];
  for (const slice of rendered.slices)
    slices.push({ ...slice, body: await drawTestMark(slice.body, { format: slice.format, quality }) });
  return { ...rendered, body: await drawTestMark(body, { format, quality }), slices };
}

function withNote(body: Buffer, format: Format): Buffer {
  const text = body.toString();
  if (format === "html") return Buffer.from(`${text}\n<p>${TEST_NOTE}</p>\n`);
  if (format === "json" || format === "elements")
    return Buffer.from(JSON.stringify({ ...JSON.parse(text), test: TEST_NOTE }));
  // The header of the message; a line before it would be no part of it.
  if (format === "mhtml") return Buffer.concat([Buffer.from(`X-Test-Capture: ${TEST_NOTE}\r\n`), body]);
  return Buffer.from(`${TEST_NOTE}\n\n${text}`);
}
