// A printed PDF on its way out of Chromium.
import type { CDPSession } from "puppeteer-core";
import { ApiError } from "../../contract/errors.ts";

/** An answer carries at most 200 MB; the rest is for its headers and for a margin. */
const MAX_BYTES = 190_000_000;
const CHUNK_BYTES = 4_000_000;

/** The content of a stream of Chromium's, which is closed. Throws `RESULT_TOO_LARGE` beyond `maxBytes`. */
export async function readStream(cdp: CDPSession, handle: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { data, base64Encoded, eof } = await cdp.send("IO.read", { handle, size: CHUNK_BYTES });
    const chunk = Buffer.from(data, base64Encoded ? "base64" : "latin1");
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    if (eof) break;
  }
  await cdp.send("IO.close", { handle });
  return Buffer.concat(chunks);
}

/** How many pages a PDF of Chromium's has, which writes the nodes of the page tree in plain text. */
export function pageCount(pdf: Buffer): number {
  let most = 0;
  for (let at = pdf.indexOf(PAGES); at >= 0; at = pdf.indexOf(PAGES, at + PAGES.length)) {
    const [, count] = /^\/Count (\d+)/.exec(pdf.toString("latin1", at + PAGES.length, at + PAGES.length + 20)) ?? [];
    most = Math.max(most, Number(count ?? 0));
  }
  return most;
}

const PAGES = Buffer.from("<</Type /Pages\n");

function tooLarge(maxBytes: number): ApiError {
  const limit = `${maxBytes / 1e6} MB`;
  return new ApiError(
    "RESULT_TOO_LARGE",
    `The PDF is larger than ${limit}. Ask for fewer pages with pdf_page_ranges, or for a part with selector.`,
    { details: { pdf: [`is larger than ${limit}`] } },
  );
}
