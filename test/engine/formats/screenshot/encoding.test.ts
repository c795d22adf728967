// Image encoding: formats, quality, resizing, background and image metadata.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { composeImage } from "../../../../lib/engine/formats/screenshot/raster.ts";
import { decode } from "../../../fixtures/png.ts";
import { BLACK, BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf } = startSmallCaptures();

/** Whether two colours look the same, also after an encoder has been at work. */
const isLike = (colour: readonly number[], other: readonly number[]) =>
  colour.slice(0, 3).every((channel, n) => Math.abs(channel - (other[n] ?? 0)) < 25);

/** A point inside the box of `/box`, and one just outside of it. */
const [inside, outside] = [
  [BOX.x + 25, BOX.y + 25],
  [BOX.x - 6, BOX.y - 6],
] as const;

describe("format", () => {
  sampled(test, 12).each([
    ["png", "image/png", "png"],
    ["jpeg", "image/jpeg", "jpeg"],
    ["jpg", "image/jpeg", "jpeg"],
    ["webp", "image/webp", "webp"],
    ["avif", "image/avif", "heif"],
    ["tiff", "image/tiff", "tiff"],
  ])("%s is %s", async (format, mimeType, encoding) => {
    const captured = await captureOf("/box", { format });
    expect(captured.mimeType).toBe(mimeType);
    expect((await sharp(captured.body).metadata()).format).toBe(encoding);
    const image = await decode(captured.body);
    expect(sizeOf(image)).toEqual([400, 300]);
    expect([isLike(image.colourAt(...inside), RED), isLike(image.colourAt(...outside), WHITE)]).toEqual([true, true]);
  });

  // Chromium encodes the one of a page that is captured at once, and never the other.
  sampled(test, 8).each([["jpeg"], ["avif"]])("%s of a page captured in tiles is complete", async (format) => {
    const options = { format, full_page: true, viewport_width: 700, device_scale_factor: 2, image_width: 350 };
    const image = await imageOf("/bands?count=70", options);
    expect(sizeOf(image)).toEqual([350, 3_500]);
    const seen = Array.from({ length: 70 }, (_, n) => image.colourAt(100, n * 50 + 25));
    expect(seen.filter((colour, n) => !isLike(colour, bandColour(n)))).toEqual([]);
  });

  slowTest(
    "png returns an image of more than 30 MB whole",
    async () => {
      const { body } = await captureOf("/noise", { full_page: true });
      expect(body.length).toBeGreaterThan(30e6);
      expect(sizeOf(await decode(body))).toEqual([3_600, 3_000]);
    },
    40_000,
  );
});

describe("image_quality", () => {
  sampled(test, 12).each([["jpeg"], ["webp"], ["avif"]])(
    "makes a %s smaller the lower it is, and is 80 by default",
    async (format) => {
      const sizes: number[] = [];
      for (const image_quality of [0, 80, undefined, 100]) {
        const { body } = await captureOf("/noise?width=200&height=150", {
          format,
          ...(image_quality !== undefined && { image_quality }),
        });
        sizes.push(body.length);
      }
      const [lowest = 0, eighty = 0, unset, highest] = sizes;
      expect(unset).toBe(eighty);
      expect(eighty).toBeGreaterThan(lowest * 1.5);
      expect(highest).toBeGreaterThan(eighty * 1.2);
    },
  );

  test("applies to an image that is resized, too", async () => {
    const resized = (image_quality: number) =>
      captureOf("/noise?width=400&height=300", { format: "jpeg", image_width: 200, image_quality });
    const [low, high] = [await resized(10), await resized(95)];
    expect(high.body.length).toBeGreaterThan(1.5 * low.body.length);
  });
});

describe("optimize_for_speed", () => {
  sampled(test, 4).each([
    ["a png as Chromium writes it", {}],
    ["a png that is resized", { image_width: 300 }],
  ])("makes %s larger, and the same", async (_, options) => {
    const path = "/table?rows=30";
    const [small, fast] = [
      await captureOf(path, options),
      await captureOf(path, { ...options, optimize_for_speed: true }),
    ];
    expect(fast.body.length).toBeGreaterThan(1.1 * small.body.length);
    const [one, other] = await Promise.all([small, fast].map(({ body }) => sharp(body).removeAlpha().raw().toBuffer()));
    expect(other && one?.equals(other)).toBe(true);
  });
});

describe("image_width and image_height", () => {
  sampled(test, 12).each([
    [{ image_width: 200 }, [200, 150]],
    [{ image_height: 100 }, [133, 100]],
    [{ image_width: 200, image_height: 100 }, [133, 100]],
    [{ image_width: 4_000 }, [400, 300]],
    [{ image_width: 200, device_scale_factor: 2 }, [200, 150]],
    [{ image_width: 600, device_scale_factor: 2 }, [600, 450]],
  ])("%j gives an image of %j", async (options, size) => {
    const image = await imageOf("/box", options);
    expect(sizeOf(image)).toEqual(size);
    const scale = image.width / 400;
    const [x, y] = [Math.round(inside[0] * scale), Math.round(inside[1] * scale)];
    expect([image.colourAt(x, y), image.colourAt(image.width - 1, image.height - 1)]).toEqual([RED, WHITE]);
  });

  test("scale a full page down to a thumbnail", async () => {
    const image = await imageOf("/bands?count=20", { full_page: true, image_width: 100 });
    expect(sizeOf(image)).toEqual([100, 500]);
    expect(image.columnColours(50, 25)).toEqual(Array.from({ length: 20 }, (_, n) => bandColour(n)));
  });

  test("scale an element down to a thumbnail", async () => {
    const image = await imageOf("/box", { selector: "#box", image_width: 50 });
    expect(sizeOf(image)).toEqual([50, 25]);
    expect(image.colourAt(25, 12)).toEqual(RED);
  });
});

describe("image_fit", () => {
  // The window shows the bands 0 to 2, 400 × 300.
  const box = { image_width: 100, image_height: 150 };

  sampled(test, 8).each([
    ["inside", [100, 75]],
    ["outside", [200, 150]],
    ["cover", [100, 150]],
    ["contain", [100, 150]],
    ["fill", [100, 150]],
  ])("%s gives an image of %j", async (image_fit, size) => {
    expect(sizeOf(await imageOf("/bands", { ...box, image_fit }))).toEqual(size);
  });

  test("cover crops, contain pads, fill distorts", async () => {
    const columns = async (image_fit: string, more: Readonly<Record<string, unknown>> = {}) =>
      (await imageOf("/bands", { ...box, image_fit, ...more })).columnColours(50, 50);
    const all = [0, 1, 2].map(bandColour);
    expect(await columns("cover")).toEqual(all);
    expect(await columns("fill")).toEqual(all);
    expect(await columns("contain", { image_background: "#00ff00" })).toEqual([
      [0, 255, 0],
      bandColour(1),
      [0, 255, 0],
    ]);
  });

  test("outside and cover enlarge where needed", async () => {
    expect(sizeOf(await imageOf("/box", { image_width: 800, image_height: 300, image_fit: "outside" }))).toEqual([
      800, 600,
    ]);
    expect(sizeOf(await imageOf("/box", { image_width: 800, image_height: 300, image_fit: "cover" }))).toEqual([
      800, 300,
    ]);
  });
});

describe("image_position", () => {
  const halves = `<!doctype html><style>body{margin:0;height:100vh;background:linear-gradient(to right, red 50%, green 50%)}</style>`;
  const cover = { image_width: 100, image_height: 300, image_fit: "cover" };

  sampled(test, 4).each([
    ["west", [RED, RED]],
    ["center", [RED, GREEN]],
    ["east", [GREEN, GREEN]],
    ["northeast", [GREEN, GREEN]],
  ])("%s is the part that cover keeps", async (image_position, seen) => {
    const image = await imageOf(halves, { ...cover, image_position });
    expect([image.colourAt(5, 150), image.colourAt(94, 150)]).toEqual(seen);
  });

  test.each([
    ["north", [RED, WHITE]],
    ["south", [WHITE, RED]],
  ])("%s is where contain places the image", async (image_position, seen) => {
    const image = await imageOf(halves, { image_width: 200, image_height: 300, image_fit: "contain", image_position });
    expect([image.colourAt(20, 20), image.colourAt(20, 280)]).toEqual(seen);
  });

  test.each([["entropy"], ["attention"]])("%s keeps the part with content", async (image_position) => {
    const image = await imageOf("/box", { image_width: 150, image_height: 300, image_fit: "cover", image_position });
    expect(image.countInColumn(BOX.x + 50, RED)).toBe(BOX.height);
  });
});

describe("omit_background", () => {
  sampled(test, 6).each([["png"], ["webp"], ["avif"]])(
    "makes the background of a %s transparent and keeps its content",
    async (format) => {
      const image = await imageOf("/box", { omit_background: true, format });
      expect(image.hasAlpha).toBe(true);
      expect(image.pixelAt(...outside)[3]).toBe(0);
      expect(image.pixelAt(...inside)[3]).toBe(255);
      expect(isLike(image.pixelAt(...inside), RED)).toBe(true);
    },
  );

  sampled(test, 4).each([
    ["a full page", { full_page: true }],
    ["a full page by sections", { full_page: true, full_page_algorithm: "by_sections" }],
    ["an element", { selector: "#box", selector_padding: 20 }],
    ["a thumbnail", { image_width: 200 }],
  ])("applies to %s", async (_, options) => {
    const image = await imageOf("/box", { omit_background: true, ...options });
    expect(image.pixelAt(2, 2)[3]).toBe(0);
  });

  test("keeps a background of the page itself", async () => {
    const page = `<!doctype html><style>body{background:green}</style>`;
    expect((await imageOf(page, { omit_background: true })).pixelAt(5, 5)).toEqual([...GREEN, 255]);
  });

  test("is off by default: the background is white", async () => {
    expect((await imageOf("/box")).pixelAt(...outside)).toEqual([...WHITE, 255]);
  });
});

describe("image_background", () => {
  const contain = { image_width: 100, image_height: 100, image_fit: "contain" };

  sampled(test, 8).each([
    ["white by default", {}, [...WHITE, 255]],
    ["the colour that is named", { image_background: "#102030" }, [16, 32, 48, 255]],
    ["half transparent", { image_background: "rgba(0, 0, 0, 0.5)" }, [...BLACK, 128]],
    ["transparent where the page's ground is", { omit_background: true }, [...BLACK, 0]],
  ])("is %s", async (_, options, pixel) => {
    expect((await imageOf("/bands", { ...contain, ...options })).pixelAt(50, 2)).toEqual(pixel);
  });

  test("is rendered as Chromium does for all functions of CSS Color 4", async () => {
    const colours = [
      "oklch(70% 0.1 200)",
      "oklab(0.5 0.1 0.1)",
      "lch(50% 20 20)",
      "lab(50% 20 20)",
      "hwb(120 20% 30%)",
      "hsl(200deg 50% 40%)",
      "color(display-p3 0.2 0.5 0.3)",
      "rgb(10% 20% 30%)",
    ];
    const rows = colours.map((colour) => `<p style="margin:0;height:20px;background:${colour}">`).join("");
    const { body } = await captureOf(`<body style="margin:0">${rows}`);
    const page = await decode(body);
    for (const [index, background] of colours.entries()) {
      const resizing = { width: 100, height: 100, fit: "contain", position: "center", background } as const;
      const encoding = { format: "png", quality: 80, fast: true } as const;
      const image = await decode((await composeImage(body, { encoding, resizing })).body);
      const [seen, painted] = [image.pixelAt(50, 2), page.pixelAt(50, 20 * index + 10)];
      const isSame = painted.every((channel, at) => Math.abs(channel - (seen[at] ?? 0)) <= 1);
      expect({ background, seen, painted, isSame }).toMatchObject({ isSame: true });
    }
  });
});

describe("metadata_image_size and metadata_palette", () => {
  const json = { response_type: "json" };

  test("report the size of the delivered image", async () => {
    const sizes = [];
    for (const options of [{}, { device_scale_factor: 2 }, { image_width: 100 }, { selector: "#box" }]) {
      const { metadata } = await captureOf("/box", { ...json, ...options, metadata_image_size: true });
      sizes.push(metadata.image_size);
    }
    expect(sizes).toEqual([
      { width: 400, height: 300 },
      { width: 800, height: 600 },
      { width: 100, height: 75 },
      { width: BOX.width, height: BOX.height },
    ]);
  });

  test("report the colours of the image and their shares", async () => {
    const { metadata } = await captureOf("/box", { ...json, metadata_palette: true });
    const share = (BOX.width * BOX.height) / (400 * 300);
    expect(metadata.palette).toEqual([
      { colour: "#ffffff", share: expect.closeTo(1 - share, 2) },
      { colour: "#ff0000", share: expect.closeTo(share, 2) },
    ]);
  });

  test("report them for a full page, too", async () => {
    const { metadata } = await captureOf("/bands?count=4", { ...json, full_page: true, metadata_palette: true });
    const hex = (colour: readonly number[]) => `#${Buffer.from(colour).toString("hex")}`;
    expect(metadata.palette?.map(({ colour }) => colour).toSorted()).toEqual(
      [0, 1, 2, 3].map((n) => hex(bandColour(n))).toSorted(),
    );
    expect(metadata).not.toHaveProperty("image_size");
  });

  test("are absent unless requested", async () => {
    expect((await captureOf("/box", json)).metadata).toEqual({});
  });
});
