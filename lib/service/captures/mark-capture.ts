// Marks the results of captures with an API key for tests: pictures carry a word across them, documents a line of text. Videos and
// PDFs are marked frame by frame and page by page as they are made.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { type Format, formatKind, isImageFormat } from "../../contract/options/formats.ts";
import { drawTestMark, TEST_NOTE } from "../../engine/formats/test-mark.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";

type MarkOptions = Pick<CaptureOptions, "test_mark" | "image_quality" | "metadata_content_format">;

/** Marks a result and the content of its page, if the options say so. Other metadata, such as the title, are facts without a mark. */
export async function markCapture(unmarked: Capture, options: MarkOptions): Promise<Capture> {
  const { test_mark, image_quality: quality, metadata_content_format: contentFormat } = options;
  if (!test_mark) return unmarked;
  const metadata = withMarkedContent(unmarked.metadata, contentFormat);
  const rendered = { ...unmarked, metadata };
  const { body, format } = rendered;
  if (formatKind(format) === "document") return { ...rendered, body: withNote(body, format, contentFormat) };
  if (!isImageFormat(format)) return rendered;
  const slices = [];
  for (const slice of rendered.slices)
    slices.push({ ...slice, body: await drawTestMark(slice.body, { format: slice.format, quality }) });
  return { ...rendered, body: await drawTestMark(body, { format, quality }), slices };
}

function withNote(body: Buffer, format: Format, contentFormat: MarkOptions["metadata_content_format"]): Buffer {
  const text = body.toString();
  if (format === "json" || format === "elements")
    return Buffer.from(JSON.stringify({ ...withMarkedContent(JSON.parse(text), contentFormat), test: TEST_NOTE }));
  // The header of the message; a line before it would be no part of it.
  if (format === "mhtml") return Buffer.concat([Buffer.from(`X-Test-Capture: ${TEST_NOTE}\r\n`), body]);
  return Buffer.from(markedText(text, format));
}

/** Metadata whose content carries the line that a document of its format has. */
function withMarkedContent<Metadata extends { readonly content?: string }>(
  metadata: Metadata,
  format: MarkOptions["metadata_content_format"],
): Metadata {
  return metadata.content === undefined ? metadata : { ...metadata, content: markedText(metadata.content, format) };
}

function markedText(text: string, format: Format): string {
  return format === "html" ? `${text}\n<p>${TEST_NOTE}</p>\n` : `${TEST_NOTE}\n\n${text}`;
}
