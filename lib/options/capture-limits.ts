// What one capture may use and make at most, whatever its page does; a stage can set each of them otherwise.
import * as v from "valibot";

const limit = (description: string, { least = 1, most, unless }: { least?: number; most: number; unless: number }) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description)), unless);

/** All limits with their defaults. The descriptions are for who calls the API: they become its reference. */
export const captureLimits = v.strictObject({
  page_megabytes: limit("Megabytes that the page may load and send, as compressed as they come.", {
    most: 2_000,
    unless: 200,
  }),
  requests: limit("Requests that the page may make, those of redirects and frames among them.", {
    most: 100_000,
    unless: 5_000,
  }),
  redirects: limit("Redirects in a row on the way to the page.", { most: 19, unless: 19 }), // Chromium refuses the 20th
  dom_nodes: limit("Nodes that the page's documents may hold: elements, texts and comments.", {
    most: 20_000_000,
    unless: 2_000_000,
  }),
  memory_megabytes: limit(
    "Megabytes of memory that the browser may hold, as far as the function has them: what the page keeps in databases, " +
      "caches and files is there, too.",
    { least: 200, most: 10_240, unless: 10_240 },
  ),
  report_megabytes: limit(
    "Megabytes that the browser may report of the page while it is captured: its addresses (`data:` ones among them), " +
      "names of frames, headers, errors, what its sockets carry and, where that is asked for, its console.",
    { most: 400, unless: 200 }, // all of it could be held at once
  ),
  image_megapixels: limit("Millions of pixels of an image, before and after it is resized.", {
    most: 128,
    unless: 128,
  }),
  pdf_pages: limit("Pages of a PDF.", { most: 100_000, unless: 2_000 }),
  result_megabytes: limit(
    "Megabytes of a result, with all `slices` of an image, and as base64 where it is answered so, a third more.",
    { most: 190, unless: 190 }, // an answer of Lambda carries 200
  ),
});

export type CaptureLimits = Readonly<v.InferOutput<typeof captureLimits>>;

/** What of a machine a page can use up: going beyond it ends the capture with `TARGET_TOO_LARGE`. */
export const pageLimits = [
  "page_megabytes",
  "requests",
  "redirects",
  "dom_nodes",
  "memory_megabytes",
  "report_megabytes",
] as const satisfies readonly (keyof CaptureLimits)[];
export type PageLimit = (typeof pageLimits)[number];

/** What bounds what a capture makes: going beyond it ends the capture with `RESULT_TOO_LARGE`. */
export const resultLimits = [
  "image_megapixels",
  "pdf_pages",
  "result_megabytes",
] as const satisfies readonly (keyof CaptureLimits)[];
export type ResultLimit = (typeof resultLimits)[number];

/** The limits of a capture where nothing is said. */
export const defaultLimits: CaptureLimits = v.parse(captureLimits, {});
