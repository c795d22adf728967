// Limits of result sizes: a result at the limit is allowed, and the error beyond it names the limit.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CaptureLimits, defaultLimits } from "../../lib/contract/options/capture-limits.ts";
import { selectPages } from "../../lib/engine/formats/pdf/pdf-pages.ts";
import { assertPixels } from "../../lib/engine/formats/result-limits.ts";
import { readPdf } from "../fixtures/pdf.ts";
import { decode } from "../fixtures/png.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { sampled } from "../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;

const bounded = (options: Options, limits: Partial<CaptureLimits>) =>
  captureWith({ wait_until: "load", timeout: 25, ...options }, { allow: [site.hostPort], limits });

/** The page does not respond from then on, because it waits for an answer of the site that never comes. */
const blocked = () => {
  const request = `const request = new XMLHttpRequest(); request.open("GET", "${site.origin}/never-answers", false);`;
  return { on_timeout: "capture", timeout: 4, scripts: `${request} request.send()` };
};

/** The error of a result that is too large, apart from its words. */
const tooLarge = (limit: keyof CaptureLimits, allows: number) => ({
  code: "RESULT_TOO_LARGE",
  details: { limit: [limit] },
  figures: { allows, would_be: expect.toSatisfy((amount: number) => amount > allows) },
});

const tall = `<body style="margin:0"><div id="all" style="height:400px;background:linear-gradient(red,blue)">`;
const square = { viewport_width: 100, viewport_height: 100 };
const rectangle = (clip_width: number, clip_height: number) => ({ clip_x: 0, clip_y: 0, clip_width, clip_height });

describe.concurrent("result limits: an image of ten thousand pixels", () => {
  const limits = { image_megapixels: 0.01 };

  sampled(test, 4).each<[string, Options, [number, number]]>([
    ["is the window", {}, [100, 100]],
    ["is a part of a longer page", { full_page: true, full_page_max_height: 100 }, [100, 100]],
    ["is an element shown small", { selector: "#all", device_scale_factor: 0.5 }, [50, 200]],
    [
      "is enlarged to be so",
      { ...rectangle(10, 10), image_width: 100, image_height: 100, image_fit: "fill" },
      [100, 100],
    ],
  ])("%s is allowed", async (_, options, size) => {
    const { body } = await bounded({ html: tall, ...square, ...options }, limits);
    const { width, height } = await decode(body);
    expect([width, height]).toEqual(size);
  });

  sampled(test, 8).each<[string, Options | (() => Options)]>([
    ["the window, a row higher", { viewport_height: 101 }],
    ["the window, sharper", { device_scale_factor: 1.1 }],
    ["the window, as webp", { viewport_height: 101, format: "webp" }],
    ["the window, as avif", { viewport_height: 101, format: "avif" }],
    ["the window, for a smaller picture", { viewport_height: 101, image_width: 10 }],
    ["the whole page", { full_page: true }],
    ["the whole page, by sections", { full_page: true, full_page_algorithm: "by_sections" }],
    ["the whole page, in slices", { full_page: true, full_page_slices: true, response_type: "json" }],
    ["an element", { selector: "#all" }],
    ["a rectangle", rectangle(100, 101)],
    ["a rectangle of the largest size there is", rectangle(100_000, 100_000)],
    ["what is enlarged", { ...rectangle(10, 10), image_width: 100, image_height: 101, image_fit: "cover" }],
    [
      "what is enlarged as it is long",
      { ...rectangle(10, 100), image_width: 35, image_height: 1, image_fit: "outside" },
    ],
    ["the frame of a page that does not respond", () => ({ viewport_height: 101, ...blocked() })],
  ])("is smaller than %s, which is rejected", async (_, given) => {
    const options = typeof given === "function" ? given() : given;
    const failure = await failureOf(bounded({ html: tall, ...square, ...options }, limits));
    expect(failure).toMatchObject(tooLarge("image_megapixels", 0.01));
  });
});

/** A page of `count` sheets. */
const sheets = (count: number) => `<script>
  for (let n = 1; n <= ${count}; n++) document.write("<p style='break-after:page;margin:0'>" + n)
</script>`;

describe.concurrent("result limits: a PDF of three pages", () => {
  sampled(test, 6).each<[string, string, Options, number]>([
    ["is all there is", sheets(3), {}, 3],
    ["is some of many", sheets(9), { pdf_page_ranges: "2-3,8" }, 3],
    ["is the end of many", sheets(9), { pdf_page_ranges: "7-" }, 3],
    ["is less than was requested", sheets(3), { pdf_page_ranges: "1-99" }, 3],
    ["is the same ones over and over", sheets(9), { pdf_page_ranges: "1-3,2-3,1,3" }, 3],
    ["is one sheet of many", sheets(9), { pdf_fit_one_page: true }, 1],
  ])("%s is allowed", async (_, html, options, count) => {
    const { body } = await bounded({ html, format: "pdf", ...options }, { pdf_pages: 3 });
    expect(readPdf(body).sizes).toHaveLength(count);
  });

  sampled(test, 4).each<[string, string, Options]>([
    ["a fourth", sheets(4), {}],
    ["four of many", sheets(9), { pdf_page_ranges: "1,3,5,7" }],
    ["the end of many", sheets(9), { pdf_page_ranges: "6-" }],
    [
      "pages of a pixel each",
      `<style>@page{size:1px 1px;margin:0}</style>${sheets(50)}`,
      { pdf_prefer_css_page_size: true },
    ],
  ])("is smaller than %s, which is rejected", async (_, html, options) => {
    const failure = await failureOf(bounded({ html, format: "pdf", ...options }, { pdf_pages: 3 }));
    expect(failure).toMatchObject({ ...tooLarge("pdf_pages", 3), figures: { allows: 3, would_be: 4 } });
  });
});

sampled(test, 2).each([
  ["all", undefined, "1-10"],
  ["a page", "4", "4-4"],
  ["as many as may be", "11-20", "11-20"],
  ["more than may be", "11-21", "11-20"],
  ["the end", "5-", "5-14"],
  ["the beginning", "-12", "1-10"],
  ["several", "1,3,5-6", "1-1,3-3,5-6"],
  ["more than may be, in several", "1-6,8-12", "1-6,8-11"],
  ["more than may be, and the end", "1-4,3-,9", "1-4,5-10"],
  ["the same twice", "2-3,2-3", "2-3"],
  ["backwards", "9-12,1-2", "1-2,9-12"],
])(
  "result limits: with a limit of ten pages and %s requested, Chromium prints exactly those",
  (_, requested, printed) => {
    expect(selectPages(requested, 10)).toBe(printed);
  },
);

/** Shows noise in a canvas of `width` × `height` pixels, which no format makes small; `redraws` for as long as it is looked at. */
const noise = (width: number, height: number, redraws = false) => `<body style="margin:0">
<canvas id="c" width="${width}" height="${height}" style="display:block"></canvas><script>
  let seed = 1;
  const context = c.getContext("2d");
  const draw = () => {
    const image = context.createImageData(${width}, ${height});
    const words = new Uint32Array(image.data.buffer);
    for (let index = 0; index < words.length; index++) {
      seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
      words[index] = seed | 0xff000000;
    }
    context.putImageData(image, 0, 0);
    ${redraws ? "requestAnimationFrame(draw)" : ""}
  };
  draw();
</script>`;

const letters = (count: number) => `<p>${"x".repeat(count)}`;

describe.concurrent("result limits: a result of ten kilobytes", () => {
  const limits = { result_megabytes: 0.01 };
  const small = { viewport_width: 100, viewport_height: 100 };

  sampled(test, 6).each<[string, Options]>([
    ["an image", { html: noise(64, 36), viewport_width: 64, viewport_height: 64 }],
    ["a document", { html: letters(9_900), format: "html" }],
    ["text as base64", { html: letters(7_400), format: "text", response_type: "base64" }],
  ])("%s is allowed", async (_, options) => {
    const { body } = await bounded(options, limits);
    expect(body.length).toBeGreaterThan(6_000);
  });

  sampled(test, 16).each<[string, Options | (() => Options)]>([
    ["an image", { html: noise(100, 100), ...small }],
    ["a jpeg", { html: noise(100, 100), ...small, format: "jpeg", image_quality: 100 }],
    ["an image, resized", { html: noise(100, 100), ...small, image_width: 90 }],
    [
      "an image with its slices",
      {
        html: noise(64, 30) + tall,
        viewport_width: 64,
        viewport_height: 64,
        full_page: true,
        full_page_slices: true,
        full_page_slice_height: 200,
        full_page_slice_overlap_height: 100,
        response_type: "json",
      },
    ],
    ["a gif", { html: noise(100, 100, true), ...small, format: "gif", video_duration: 1 }],
    ["an animated webp", { html: noise(100, 100, true), ...small, format: "animated_webp", video_duration: 1 }],
    ["an mp4", { html: noise(100, 100, true), ...small, format: "mp4", video_duration: 1 }],
    ["a webm", { html: noise(100, 100, true), ...small, format: "webm", video_duration: 1 }],
    ["a pdf", { html: noise(100, 100), format: "pdf" }],
    ["html", { html: letters(11_000), format: "html" }],
    ["text", { html: letters(11_000), format: "text" }],
    ["text whose letters take several bytes", { html: `<p>${"語".repeat(4_000)}`, format: "text" }],
    ["markdown", { html: letters(11_000), format: "markdown" }],
    ["an archive", { html: letters(11_000), format: "mhtml" }],
    ["JSON", { html: letters(11_000), format: "json", metadata_content: true, metadata_content_format: "text" }],
    ["text as base64", { html: letters(7_600), format: "text", response_type: "base64" }],
    ["the frame of a page that does not respond", () => ({ html: noise(100, 100), ...small, ...blocked() })],
  ])("%s is rejected when larger", async (_, given) => {
    const options = typeof given === "function" ? given() : given;
    const failure = await failureOf(bounded(options, limits));
    expect(failure).toMatchObject(tooLarge("result_megabytes", 0.01));
  });
});

test.each([
  ["128 million pixels", 8_000, 16_000, undefined],
  ["a row more", 8_000, 16_001, 128.1],
  ["the largest window at the largest scale", 38_400, 21_600, 829.5],
])("result limits: by default an image of %s is allowed or not", (_, width, height, wouldBe) => {
  const asserting = () => assertPixels({ width, height }, defaultLimits);
  if (wouldBe === undefined) expect(asserting).not.toThrow();
  else expect(asserting).toThrow(expect.objectContaining({ figures: { allows: 128, would_be: wouldBe } }));
});

test("result limits: the error has the limit, the actual size, and the fix", async () => {
  const failure = await failureOf(
    bounded({ html: tall, full_page: true, viewport_width: 4000, viewport_height: 64 }, { image_megapixels: 1 }),
  );
  expect(failure.message).toBe(
    "The image would measure 4000 × 400 pixels, more than the 1 million pixels that are allowed. " +
      "Lower device_scale_factor, image_width or image_height, or capture a smaller part.",
  );
  expect(failure.figures).toEqual({ allows: 1, would_be: 1.6 });
});
