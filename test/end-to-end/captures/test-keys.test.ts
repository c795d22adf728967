// The mark of captures with API keys for tests, which no page can remove.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { decodeVideo } from "../../support/video.ts";

const { baseUrl } = inject("service");
const NOTE = "Captured with an API key for tests.";

interface Key {
  readonly id: number;
  readonly key: string;
}

let client: Client;
let key: Key;
beforeAll(async () => {
  client = await openClient();
  key = await (await createKey({ label: "Tests", test: true })).json();
});

const send = (path: string, body: object, by = key.key) =>
  fetch(`${baseUrl}/api/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const createKey = (facts: object, by = client) => send("/keys", facts, by.key);
const capture = async (options: object, by = key.key) => {
  const response = await send("/screenshot", { viewport_width: 320, viewport_height: 200, ...options }, by);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
};

/** A page that hides all it can. */
const hostile =
  "<style>*,*::before,*::after{background:#00f!important;color:#00f!important;opacity:.99} body>*:not(main){display:none!important}" +
  "@page{margin:0}</style><main style='position:fixed;inset:0;z-index:2147483647'>Page</main>";

const isRed = ([red = 0, green = 0, blue = 0]: readonly number[]) => red > 150 && green < 130 && blue < 160;

/** Pixels of the mark among those of a picture of one color. */
async function markedPixels(image: Buffer) {
  const { width, height, pixelAt } = await decode(image);
  let marked = 0;
  for (let y = 0; y < height; y += 2) for (let x = 0; x < width; x += 2) if ((pixelAt(x, y)[0] ?? 0) > 90) marked++;
  return marked;
}

describe("test key: the mark", () => {
  // Chromium encodes the first three, and sharp the others.
  sampled(test, 6).each(["png", "jpeg", "webp", "avif", "tiff"])(
    "is across a picture as %s, regardless of the page's scripts and styles",
    async (format) => {
      expect(await markedPixels(await capture({ html: hostile, format }))).toBeGreaterThan(150);
    },
  );

  slowTest("isn't in the capture of another key, and the cache keeps both apart", async () => {
    const options = { html: hostile, cache_ttl: 600 };
    const images = [await capture(options), await capture(options, client.key), await capture(options)];
    const marks = await Promise.all(images.map(markedPixels));
    expect(marks.map((count) => count > 0)).toEqual([true, false, true]);
    expect(images[0]?.equals(images[2] ?? Buffer.of())).toBe(true);
  });

  slowTest("is in small pictures and in every slice", async () => {
    expect(await markedPixels(await capture({ html: hostile, image_width: 40 }))).toBeGreaterThan(3);
    const response = await send("/screenshot", {
      html: `${hostile}<div style="height:900px">`,
      full_page: true,
      full_page_slices: true,
      full_page_slice_height: 300,
      response_type: "json",
      viewport_width: 400,
      viewport_height: 300,
    });
    const { slices } = await response.json();
    for (const { url } of slices)
      expect(await markedPixels(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBeGreaterThan(100);
    expect(slices.length).toBeGreaterThan(0);
  });

  slowTest.each(["mp4", "gif"])("is across every frame of a video as %s", async (format) => {
    const html = `${hostile}<script>setInterval(() => document.querySelector("main").style.top = Math.random() + "px", 50)</script>`;
    const { frames, width, height } = await decodeVideo(
      await capture({ html, format, video_duration: 1, video_fps: 5 }),
    );
    for (const { pixel } of frames) {
      let marked = 0;
      for (let y = 0; y < height; y += 2) for (let x = 0; x < width; x += 2) if ((pixel(x, y)[0] ?? 0) > 90) marked++;
      expect(marked).toBeGreaterThan(200);
    }
    expect(frames.length).toBeGreaterThan(0);
  });

  slowTest("is on every page of a PDF, regardless of the styles of the page and its templates", async () => {
    const html =
      "<style>@page{margin:0} *{background:#00f!important;-webkit-print-color-adjust:exact} body::before{display:none!important}</style>" +
      "<div style='height:2000px;position:relative;z-index:2147483647'>Page</div>";
    const style = "<style>*{display:none!important}</style>";
    for (const templates of [{}, { pdf_header_template: `${style}<b>Mine</b>`, pdf_footer_template: style }]) {
      const { texts, draw } = readPdf(await capture({ html, format: "pdf", ...templates }));
      expect(texts.length).toBeGreaterThan(1);
      for (const [page, text] of texts.entries()) {
        expect(text).toContain(NOTE);
        const { width, height, colourAt } = await draw(page);
        const row = Array.from({ length: Math.floor(height / 2) }, (_, y) => y * 2).filter((y) => {
          for (let x = 0; x < width; x += 2) if (isRed(colourAt(x, y))) return true;
          return false;
        });
        expect(row.length).toBeGreaterThan(100);
      }
    }
  });

  sampled(test, 2).each([
    ["json", "markdown"],
    ["json", "html"],
    ["png", "text"],
  ])("is a line of text in the page content that accompanies %s, as %s", async (format, contentFormat) => {
    const content = { metadata_content: true, metadata_content_format: contentFormat };
    const result = await capture({
      html: "<h1>Page</h1>",
      format,
      ...content,
      ...(format === "png" && { response_type: "json" }),
    });
    const answer = JSON.parse(result.toString());
    const { content: text } = format === "json" ? answer : answer.metadata;
    expect([text.includes("Page"), text.includes(NOTE)]).toEqual([true, true]);
  });

  sampled(test, 4).each(["html", "markdown", "text", "mhtml", "json"])("is a line of text in %s", async (format) => {
    const text = String(
      await capture({ html: "<h1>Page</h1>", format, ...(format === "json" && { metadata_page_title: true }) }),
    );
    expect(text).toContain(NOTE);
    expect(
      String(
        await capture(
          { html: "<h1>Page</h1>", format, ...(format === "json" && { metadata_page_title: true }) },
          client.key,
        ),
      ),
    ).not.toContain(NOTE);
  });

  test("is in asynchronous captures and those of a bulk request", async () => {
    const { data } = await (
      await send("/bulk", { requests: [{ html: hostile, viewport_width: 320, viewport_height: 200 }] })
    ).json();
    expect(data[0].test).toBe(true);
    expect(await markedPixels(Buffer.from(await (await fetch(data[0].url)).arrayBuffer()))).toBeGreaterThan(150);
  });
});
