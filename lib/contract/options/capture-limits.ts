// Limits of a capture: of the resources that its page uses, and of its result. Each stage can override them.
import * as v from "valibot";

/** The highest limit of the pages of a PDF. */
export const MAX_PDF_PAGES = 100_000;

const limit = (description: string, { min = 1, max, fallback }: { min?: number; max: number; fallback: number }) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(description)), fallback);

/** All limits with their defaults. The reference is generated from the descriptions. */
export const captureLimits = v.strictObject({
  page_megabytes: limit("Megabytes that the page can send and receive, as compressed on the network.", {
    max: 2_000,
    fallback: 200,
  }),
  requests: limit("Requests of the page, including redirects and frames.", {
    max: 100_000,
    fallback: 5_000,
  }),
  redirects: limit("Consecutive redirects before the page.", { max: 19, fallback: 19 }), // Chromium refuses the 20th
  dom_nodes: limit("DOM nodes of the page and its frames: elements, texts, and comments.", {
    max: 20_000_000,
    fallback: 2_000_000,
  }),
  workers: limit("Web workers, shared workers, and service workers that the page runs at the same time.", {
    max: 1_000,
    fallback: 100, // each takes 14 MB of address space
  }),
  memory_megabytes: limit(
    "Megabytes of memory of the browser, up to what the service has for a capture. Includes the page's databases, caches, and " +
      "files.",
    { min: 200, max: 10_240, fallback: 10_240 },
  ),
  report_megabytes: limit(
    "Megabytes of events that the browser reports about the page during the capture: URLs (including `data:` URLs), frame " +
      "names, headers, errors, WebSocket messages and, if you request it, console messages.",
    { max: 400, fallback: 200 }, // all of it could be held at once
  ),
  image_megapixels: limit("Millions of pixels of an image, before and after resizing.", {
    max: 128,
    fallback: 128,
  }),
  pdf_pages: limit("Pages of a PDF.", { max: MAX_PDF_PAGES, fallback: 2_000 }),
  result_megabytes: limit(
    "Megabytes of a result, including all `slices` of an image, and of all `outputs` of a request together. With `response_type=base64`, the size of the Base64 text, " +
      "which is a third larger.",
    { max: 190, fallback: 190 }, // an answer of Lambda carries 200
  ),
});

export type CaptureLimits = Readonly<v.InferOutput<typeof captureLimits>>;

/** Limits of the resources that a page uses. A capture that exceeds one fails with `TARGET_TOO_LARGE`. */
export const pageLimits = [
  "page_megabytes",
  "requests",
  "redirects",
  "dom_nodes",
  "workers",
  "memory_megabytes",
  "report_megabytes",
] as const satisfies readonly (keyof CaptureLimits)[];
export type PageLimit = (typeof pageLimits)[number];

/** Limits of the result. A capture that exceeds one fails with `RESULT_TOO_LARGE`. */
const resultLimits = [
  "image_megapixels",
  "pdf_pages",
  "result_megabytes",
] as const satisfies readonly (keyof CaptureLimits)[];
export type ResultLimit = (typeof resultLimits)[number];

/** The limits of a capture unless the stage overrides them. */
export const defaultLimits: CaptureLimits = v.parse(captureLimits, {});
