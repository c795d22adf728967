// XML with an XSLT style sheet, which replaces its document without a navigation.
import { describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { XML_TEXTS } from "../../fixtures/site-pages/xml.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { sampled } from "../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../support/small-captures.ts";
import { decodeVideo } from "../../support/video.ts";

const { captureOf, groundOf } = startSmallCaptures();

describe("xslt: the result of the style sheet is captured", () => {
  sampled(test, 4).each(Object.entries(XML_TEXTS))("%s", async (path, text) => {
    const { body, warnings } = await captureOf(path, { format: "text" });
    expect([String(body).trim(), warnings]).toEqual([text, []]);
  });

  sampled(test, 12).each([["domcontentloaded"], ["load"], ["networkidle"], ["networkidle0"], ["networkidle2"]])(
    "with wait_until=%s",
    async (condition) => {
      const { body } = await captureOf("/invoice.xml", { format: "text", wait_until: condition });
      expect(String(body).trim()).toBe(XML_TEXTS["/invoice.xml"]);
    },
  );

  sampled(test, 12).each<[string, Options]>([
    ["without scripts", { javascript: false }],
    ["deterministic", { deterministic: true }],
    ["as a full page", { full_page: true }],
    ["without cookie banners", { block_cookie_banners: true }],
  ])("in an image, %s", async (_, options) => {
    expect(await groundOf("/sitemap.xml", options)).toEqual(GREEN);
  });

  test("in a frame", async () => {
    expect(await groundOf("/framed-sitemap")).toEqual(GREEN);
  });

  test("in a PDF", async () => {
    const { body } = await captureOf("/sitemap.xml", { format: "pdf" });
    expect(readPdf(body).texts).toEqual([XML_TEXTS["/sitemap.xml"].replace(/\s+/g, " ")]);
  });

  test("in a video", async () => {
    const { body } = await captureOf("/sitemap.xml", { format: "gif", video_duration: 1, video_fps: 5 });
    const { frames } = await decodeVideo(body);
    expect(frames[0]?.pixel(390, 290)).toEqual(GREEN);
  });
});
