// Blank screenshots: retaken when the page shows content shortly afterwards, otherwise kept with a warning.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { BOX, RED } from "../../../fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;

const captureOf = (path: string, options: Options = {}) => {
  const usual = { timeout: 20, wait_until: "load", viewport_width: 320, viewport_height: 240 };
  return captureWith({ url: site.origin + path, ...usual, ...options }, { allow: [site.hostPort] });
};

const isGreen = ([red = 255, green = 0, blue = 255]: readonly number[]) =>
  red < 10 && Math.abs(green - 128) < 10 && blue < 10;

describe("blank image: a page that shows its content late is captured again", () => {
  sampled(test, 16).each<[string, string, Options]>([
    ["png", "/fades-in", {}],
    ["larger and sooner", "/fades-in", { optimize_for_speed: true }],
    ["jpeg", "/fades-in", { format: "jpeg" }],
    ["webp", "/fades-in", { format: "webp" }],
    ["composed from tiles", "/fades-in", { format: "tiff" }],
    ["transparent", "/fades-in", { omit_background: true }],
    ["the whole page", "/fades-in", { full_page: true }],
    ["the whole page by sections", "/fades-in", { full_page: true, full_page_algorithm: "by_sections" }],
    ["what it had before is gone", "/comes-back", {}],
  ])("%s", async (_, path, options) => {
    const { body, warnings } = await captureOf(path, options);
    expect(isGreen((await decode(body)).pixelAt(BOX.x + 5, BOX.y + 5))).toBe(true);
    expect(warnings).toEqual([]);
  });

  test("and its metadata are those of the second image", async () => {
    const options = { response_type: "json", metadata_page_title: true, metadata_image_size: true };
    expect((await captureOf("/fades-in", options)).metadata).toMatchObject({
      page_title: "Fixture",
      image_size: { width: 320, height: 240 },
    });
  });
});

describe("blank image: a page that stays blank has a warning", () => {
  const [shy, empty] = [
    "The image is of a single colour, although the page has content.",
    "The image is of a single colour: the page shows nothing.",
  ];

  sampled(test, 8).each<[string, string, Options, string]>([
    ["the page never shows what it has", "/never-shown", { timeout: 4 }, shy],
    ["it shows it too late", "/fades-in?after=9000", { timeout: 4 }, shy],
    ["its scripts bring nothing", "/shows-nothing", {}, empty],
    ["in pixels of a telephone", "/shows-nothing?colour=tan", { device_scale_factor: 3 }, empty],
    ...[
      { format: "png" },
      { format: "png", optimize_for_speed: true },
      { format: "png", omit_background: true },
      { format: "jpeg", image_quality: 100 },
      { format: "webp", image_quality: 1 },
      { format: "avif", viewport_height: 4_000 },
    ].map((options): [string, string, Options, string] => [
      JSON.stringify(options),
      "/shows-nothing?colour=rgb(26,43,60)",
      { viewport_width: 1280, viewport_height: 1024, ...options },
      empty,
    ]),
  ])("%s", async (_, path, options, warning) => {
    expect((await captureOf(path, options)).warnings).toEqual([warning]);
  });
});

describe("blank image: no warning for", () => {
  const sizes = [
    { viewport_width: 320, viewport_height: 240 },
    { viewport_width: 1280, viewport_height: 1024 },
  ];

  sampled(test, 4).each(sizes)("a page of one colour on purpose: %j", async (size) => {
    const { body, warnings } = await captureOf("/one-colour?colour=red", size);
    expect((await decode(body)).colourAt(5, 5)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  test("an image with a single pixel of another colour", async () => {
    expect((await captureOf("/barely-anything")).warnings).toEqual([]);
  });

  sampled(test, 4).each<[string, Options]>([
    ["an element", { selector: "p" }],
    ["a rectangle", { clip_x: 0, clip_y: 0, clip_width: 9, clip_height: 9 }],
  ])("%s of one colour", async (_, options) => {
    expect((await captureOf("/never-shown", options)).warnings).toEqual([]);
  });
});
