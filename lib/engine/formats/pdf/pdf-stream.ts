// Reads a printed PDF from Chromium, and its number of pages.
import type { CDPSession } from "puppeteer-core";
import type { CaptureLimits } from "../../../contract/options/capture-limits.ts";
import type { PaperSize } from "../../../contract/options/values/paper.ts";
import { assertBytes } from "../result-limits.ts";

const CHUNK_BYTES = 4_000_000;

/** Reads and closes a CDP stream. Throws `RESULT_TOO_LARGE` as soon as it exceeds the limit. */
export async function readStream(cdp: CDPSession, handle: string, limits: CaptureLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { data, base64Encoded, eof } = await cdp.send("IO.read", { handle, size: CHUNK_BYTES });
    const chunk = Buffer.from(data, base64Encoded ? "base64" : "latin1");
    size += chunk.length;
    assertBytes(size, "pdf", limits);
    chunks.push(chunk);
    if (eof) break;
  }
  await cdp.send("IO.close", { handle });
  return Buffer.concat(chunks);
}

/** Counts the pages of a PDF by Chromium, which writes its page tree uncompressed. */
export function pageCount(pdf: Buffer): number {
  let count = 0;
  for (let at = pdf.indexOf(PAGES_NODE); at >= 0; at = pdf.indexOf(PAGES_NODE, at + PAGES_NODE.length)) {
    const [, nodeCount] =
      /^\/Count (\d+)/.exec(pdf.toString("latin1", at + PAGES_NODE.length, at + PAGES_NODE.length + 20)) ?? [];
    count = Math.max(count, Number(nodeCount ?? 0));
  }
  return count;
}

/** The size of the first page in inches; undefined if it cannot be found. Chromium writes pages uncompressed, in order. */
export function firstPageSize(pdf: Buffer): PaperSize | undefined {
  const at = pdf.indexOf("/MediaBox [0 0 ");
  const [, width, height] = /^\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1", at, at + 60)) ?? [];
  if (at < 0 || width === undefined || height === undefined) return undefined;
  return { width: Number(width) / POINTS_PER_INCH, height: Number(height) / POINTS_PER_INCH };
}

const POINTS_PER_INCH = 72;

const PAGES_NODE = Buffer.from("<</Type /Pages\n");

/** Replaces the dates of creation and modification, which Chromium writes uncompressed, in place. `at` is an ISO time in UTC. */
export function setDates(pdf: Buffer, at: string): Buffer {
  const date = at.replace(/\D/g, "").slice(0, "YYYYMMDDhhmmss".length);
  for (const key of ["/CreationDate (D:", "/ModDate (D:"]) {
    const found = pdf.indexOf(key);
    if (found >= 0) pdf.write(date, found + key.length, "latin1");
  }
  return pdf;
}
