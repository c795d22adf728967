// A printed PDF on its way out of Chromium.
import type { CDPSession } from "puppeteer-core";
import type { CaptureLimits } from "../../../options/capture-limits.ts";
import { assertBytes } from "../result-limits.ts";

const CHUNK_BYTES = 4_000_000;

/** The content of a stream of Chromium's, which is closed. Throws `RESULT_TOO_LARGE` as soon as it is. */
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

/** How many pages a PDF of Chromium's has, which writes the nodes of the page tree in plain text. */
export function pageCount(pdf: Buffer): number {
  let most = 0;
  for (let at = pdf.indexOf(PAGES_NODE); at >= 0; at = pdf.indexOf(PAGES_NODE, at + PAGES_NODE.length)) {
    const [, count] =
      /^\/Count (\d+)/.exec(pdf.toString("latin1", at + PAGES_NODE.length, at + PAGES_NODE.length + 20)) ?? [];
    most = Math.max(most, Number(count ?? 0));
  }
  return most;
}

const PAGES_NODE = Buffer.from("<</Type /Pages\n");
