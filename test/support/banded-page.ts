// Pages of coloured bands, by which a test sees how much of a page a capture shows, and where.
import { decode, type Pixels } from "../fixtures/png.ts";
import { bandColour } from "../fixtures/site-pages.ts";
import { type CaptureTestSettings, captureWith } from "./chromium.ts";

/** The window in which banded pages are captured, and the height of a band. */
export const BANDED_WINDOW = { width: 400, height: 300 } as const;
export const BAND = 100;

export const bandedPage = (style: string, body: string) =>
  `<!doctype html><style>body{margin:0} .band{height:${BAND}px} ${style}</style>${body}`;

/** `count` bands from number `from` on, each with its number as text. */
export const bands = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, n) => `<div class="band" style="background:rgb(${bandColour(from + n)})">band${from + n}.</div>`,
  ).join("");

export const bandColours = (count: number, from = 0) => Array.from({ length: count }, (_, n) => bandColour(from + n));

/** The colours below each other at `x`, one in the middle of each band, from the band at `top` on. */
export const bandsAt = (image: Pixels, x: number, { count, top = 0 }: { count: number; top?: number }) =>
  image.columnColours(x, BAND, top + BAND / 2).slice(0, count);

/** The full page of an address or of HTML, as pixels and with its warnings. */
export async function fullPageOf(
  options: Readonly<Record<string, unknown>>,
  settings: CaptureTestSettings = {},
): Promise<Pixels & { readonly warnings: readonly string[] }> {
  const { width, height } = BANDED_WINDOW;
  const fixed = { full_page: true, viewport_width: width, viewport_height: height, wait_until: "load", timeout: 25 };
  const { body, warnings } = await captureWith({ ...fixed, ...options }, settings);
  return Object.assign(await decode(body), { warnings });
}

/** The texts of all sheets of a PDF of the page, without white space. */
export async function printedText(
  options: Readonly<Record<string, unknown>>,
  settings: CaptureTestSettings = {},
): Promise<string> {
  const { width, height } = BANDED_WINDOW;
  const fixed = { format: "pdf", viewport_width: width, viewport_height: height, wait_until: "load", timeout: 25 };
  const { body } = await captureWith({ ...fixed, ...options }, settings);
  const { readPdf } = await import("../fixtures/pdf.ts");
  return readPdf(body).texts.join("").replace(/\s+/g, "");
}

/** The texts of bands as `printedText` reads them. */
export const bandTexts = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `band${from + n}.`);
