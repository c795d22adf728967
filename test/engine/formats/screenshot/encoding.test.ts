// Image encoding: formats, quality, resizing, background and image metadata. Of the options of one output, a load of the page has many.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { composeImage } from "../../../../lib/engine/formats/screenshot/raster.ts";
import type { Capture } from "../../../../lib/engine/pipeline/capture-output.ts";
import { decode, type Pixels } from "../../../fixtures/png.ts";
import { BLACK, BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { captureOutputsWith } from "../../../support/chromium.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { type Options, sizeOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf, origin } = startSmallCaptures();

/** Captures outputs of one load of a path of the fixture site, or of HTML. Returns them by name. */
async function capturesOf<Name extends string>(
  page: string,
  outputs: Readonly<Record<Name, Options>>,
): Promise<Record<Name, Capture>> {
  const source = page.startsWith("/") ? { url: origin() + page } : { html: page };
  const requested = Object.entries<Options>(outputs).map(([name, own]) => ({ name, ...own }));
  const options = { ...source, viewport_width: 400, viewport_height: 300, timeout: 20, outputs: requested };
  const captured = await captureOutputsWith(options, { allow: [new URL(origin()).host] });
  const byName = captured.outputs.map((outcome) => {
    if ("error" in outcome) throw outcome.error;
    return [outcome.name, outcome.capture];
  });
  return Object.fromEntries(byName);
}

/** The decoded images of outputs of one load. */
async function imagesOf<Name extends string>(
  page: string,
  outputs: Readonly<Record<Name, Options>>,
): Promise<Record<Name, Pixels>> {
  const captured = Object.entries<Capture>(await capturesOf(page, outputs));
  return Object.fromEntries(await Promise.all(captured.map(async ([name, { body }]) => [name, await decode(body)])));
}

/** Applies `get` to each value of a record. */
const mapValues = <Name extends string, T, Result>(record: Readonly<Record<Name, T>>, get: (value: T) => Result) =>
  Object.fromEntries(Object.entries<T>(record).map(([name, value]) => [name, get(value)])) as Record<Name, Result>;

/** Whether two colours look the same, also after an encoder has been at work. */
const isLike = (colour: readonly number[], other: readonly number[]) =>
  colour.slice(0, 3).every((channel, n) => Math.abs(channel - (other[n] ?? 0)) < 25);

/** A point inside the box of `/box`, and one just outside of it. */
const [inside, outside] = [
  [BOX.x + 25, BOX.y + 25],
  [BOX.x - 6, BOX.y - 6],
] as const;

describe("format", () => {
  test("each is what its name says", async () => {
    const formats = { png: "png", jpeg: "jpeg", jpg: "jpeg", webp: "webp", avif: "avif", tiff: "tiff" };
    const captured = await capturesOf(
      "/box",
      mapValues({ png: "png", jpeg: "jpeg", jpg: "jpg", webp: "webp", avif: "avif", tiff: "tiff" }, (format) => ({
        format,
      })),
    );
    expect(mapValues(captured, ({ mimeType }) => mimeType)).toEqual(mapValues(formats, (format) => `image/${format}`));
    expect(captured.png.metadata, "without an option of metadata").toEqual({});
    for (const [name, { body }] of Object.entries(captured)) {
      const { format } = await sharp(body).metadata();
      const image = await decode(body);
      const [red, white] = [isLike(image.colourAt(...inside), RED), isLike(image.colourAt(...outside), WHITE)];
      const encoding = name === "avif" ? "heif" : name.replace("jpg", "jpeg");
      expect({ name, format, size: sizeOf(image), red, white }).toEqual({
        ...{ name, format: encoding, size: [400, 300] },
        ...{ red: true, white: true },
      });
    }
  });

  // With a width, an area of more than 8 million pixels is captured in tiles.
  sampled(test, 8).each([["jpeg"], ["avif"]])("%s of an element captured in tiles is complete", async (format) => {
    const options = { format, selector: "body", viewport_width: 700, device_scale_factor: 2, image_width: 140 };
    const image = await imageOf("/bands?count=30", options);
    expect(sizeOf(image)).toEqual([140, 600]);
    const seen = Array.from({ length: 30 }, (_, n) => image.colourAt(70, n * 20 + 10));
    expect(seen.filter((colour, n) => !isLike(colour, bandColour(n)))).toEqual([]);
  });

  slowTest(
    "jpeg of a page of more than 16 million pixels, which Chromium does not encode at once, is complete",
    async () => {
      const options = { format: "jpeg", full_page: true, viewport_width: 700, device_scale_factor: 2 };
      const image = await imageOf("/bands?count=70", options);
      expect(sizeOf(image)).toEqual([1_400, 14_000]);
      const seen = Array.from({ length: 70 }, (_, n) => image.colourAt(100, n * 200 + 100));
      expect(seen.filter((colour, n) => !isLike(colour, bandColour(n)))).toEqual([]);
    },
  );

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
    "makes a %s smaller the lower it is, also when it is resized, and is 80 by default",
    async (format) => {
      const captured = await capturesOf("/noise?width=200&height=150", {
        lowest: { format, image_quality: 0 },
        eighty: { format, image_quality: 80 },
        unset: { format },
        highest: { format, image_quality: 100 },
        resizedLow: { format, image_width: 100, image_quality: 10 },
        resizedHigh: { format, image_width: 100, image_quality: 95 },
      });
      const bytes = mapValues(captured, ({ body }) => body.length);
      expect(bytes.unset).toBe(bytes.eighty);
      expect(bytes.eighty).toBeGreaterThan(bytes.lowest * 1.5);
      expect(bytes.highest).toBeGreaterThan(bytes.eighty * 1.2);
      expect(bytes.resizedHigh).toBeGreaterThan(bytes.resizedLow * 1.5);
    },
  );
});

test("optimize_for_speed makes a png larger, and the same: as Chromium writes it, and resized", async () => {
  const captured = await capturesOf("/table?rows=30", {
    small: {},
    fast: { optimize_for_speed: true },
    resized: { image_width: 300 },
    resizedFast: { image_width: 300, optimize_for_speed: true },
  });
  const bytes = mapValues(captured, ({ body }) => body.length);
  expect(bytes.fast).toBeGreaterThan(1.1 * bytes.small);
  expect(bytes.resizedFast).toBeGreaterThan(1.1 * bytes.resized);
  const pixels = ({ body }: Capture) => sharp(body).removeAlpha().raw().toBuffer();
  expect((await pixels(captured.fast)).equals(await pixels(captured.small))).toBe(true);
  expect((await pixels(captured.resizedFast)).equals(await pixels(captured.resized))).toBe(true);
});

describe("image_width, image_height and the metadata of the image", () => {
  const metadata_image_size = true;

  test("scale a window and an element down, never up, and report the size and the palette", async () => {
    const captured = await capturesOf("/box", {
      plain: { metadata_image_size, metadata_palette: true },
      width: { image_width: 200, metadata_image_size },
      height: { image_height: 100, metadata_image_size },
      both: { image_width: 200, image_height: 100 },
      larger: { image_width: 4_000 },
      element: { selector: "#box", image_width: 50, metadata_image_size },
      entropy: { image_width: 150, image_height: 300, image_fit: "cover", image_position: "entropy" },
      attention: { image_width: 150, image_height: 300, image_fit: "cover", image_position: "attention" },
    });
    const images = Object.fromEntries(
      await Promise.all(Object.entries(captured).map(async ([name, { body }]) => [name, await decode(body)])),
    ) as Record<keyof typeof captured, Pixels>;
    expect(mapValues(images, sizeOf)).toEqual({
      plain: [400, 300],
      width: [200, 150],
      height: [133, 100],
      both: [133, 100],
      larger: [400, 300],
      element: [50, 25],
      entropy: [150, 300],
      attention: [150, 300],
    });
    expect(mapValues(captured, ({ metadata }) => metadata.image_size)).toMatchObject({
      plain: { width: 400, height: 300 },
      width: { width: 200, height: 150 },
      height: { width: 133, height: 100 },
      element: { width: 50, height: 25 },
    });
    for (const name of ["width", "height", "both", "larger"] as const) {
      const { [name]: image } = images;
      const [x, y] = inside.map((place) => Math.round((place * image.width) / 400)) as [number, number];
      const colours = [image.colourAt(x, y), image.colourAt(image.width - 1, image.height - 1)];
      expect({ name, colours }).toEqual({ name, colours: [RED, WHITE] });
    }
    expect(images.element.colourAt(25, 12)).toEqual(RED);
    for (const name of ["entropy", "attention"] as const)
      expect(images[name].countInColumn(BOX.x + 50, RED), name).toBe(BOX.height); // the part with content

    const share = (BOX.width * BOX.height) / (400 * 300);
    expect(captured.plain.metadata.palette).toEqual([
      { colour: "#ffffff", share: expect.closeTo(1 - share, 2) },
      { colour: "#ff0000", share: expect.closeTo(share, 2) },
    ]);
  });

  sampled(test, 3).each([
    [{}, { width: 800, height: 600 }],
    [{ image_width: 200 }, { width: 200, height: 150 }],
    [{ image_width: 600 }, { width: 600, height: 450 }],
  ])("with pixels of a telephone, %j is an image of %j", async (options, size) => {
    const { body, metadata } = await captureOf("/box", { device_scale_factor: 2, metadata_image_size, ...options });
    const image = await decode(body);
    expect([metadata.image_size, { width: image.width, height: image.height }]).toEqual([size, size]);
    const [x, y] = inside.map((place) => Math.round((place * image.width) / 400)) as [number, number];
    expect([image.colourAt(x, y), image.colourAt(image.width - 1, image.height - 1)]).toEqual([RED, WHITE]);
  });

  test("scale a full page down to a thumbnail, with its palette", async () => {
    const options = { full_page: true, image_width: 100, metadata_palette: true, response_type: "json" };
    const { body, metadata } = await captureOf("/bands?count=5", options);
    const image = await decode(body);
    expect(sizeOf(image)).toEqual([100, 125]);
    const colours = Array.from({ length: 5 }, (_, n) => bandColour(n));
    expect(image.columnColours(50, 25)).toEqual(colours);
    const hex = (colour: readonly number[]) => `#${Buffer.from(colour).toString("hex")}`;
    expect(metadata.palette?.map(({ colour }) => colour).toSorted()).toEqual(colours.map(hex).toSorted());
    expect(metadata).not.toHaveProperty("image_size");
  });
});

test("image_fit: inside and outside keep proportions, cover crops, contain pads, fill distorts", async () => {
  // The window shows the bands 0 to 2, 400 × 300.
  const [box, wide] = [
    { image_width: 100, image_height: 150 },
    { image_width: 800, image_height: 300 },
  ];
  const images = await imagesOf("/bands", {
    inside: { ...box, image_fit: "inside" },
    outside: { ...box, image_fit: "outside" },
    cover: { ...box, image_fit: "cover" },
    contain: { ...box, image_fit: "contain" },
    padded: { ...box, image_fit: "contain", image_background: "#00ff00" },
    fill: { ...box, image_fit: "fill" },
    outsideLarger: { ...wide, image_fit: "outside" },
    coverLarger: { ...wide, image_fit: "cover" },
  });
  expect(mapValues(images, sizeOf)).toEqual({
    inside: [100, 75],
    outside: [200, 150],
    cover: [100, 150],
    contain: [100, 150],
    padded: [100, 150],
    fill: [100, 150],
    outsideLarger: [800, 600],
    coverLarger: [800, 300],
  });
  const all = [0, 1, 2].map(bandColour);
  const [middle, lime] = [bandColour(1), [0, 255, 0]];
  const columns = ({ cover, fill, contain, padded }: typeof images) =>
    mapValues({ cover, fill, contain, padded }, (image) => image.columnColours(50, 50));
  expect(columns(images)).toEqual({
    cover: all,
    fill: all,
    contain: [WHITE, middle, WHITE],
    padded: [lime, middle, lime],
  });
});

test("image_position is the part that cover keeps, and where contain places the image", async () => {
  const halves = `<!doctype html><style>body{margin:0;height:100vh;background:linear-gradient(to right, red 50%, green 50%)}</style>`;
  const cover = { image_width: 100, image_height: 300, image_fit: "cover" };
  const contain = { image_width: 200, image_height: 300, image_fit: "contain" };
  const images = await imagesOf(halves, {
    west: { ...cover, image_position: "west" },
    center: { ...cover, image_position: "center" },
    east: { ...cover, image_position: "east" },
    northeast: { ...cover, image_position: "northeast" },
    north: { ...contain, image_position: "north" },
    south: { ...contain, image_position: "south" },
    omitted: { omit_background: true },
  });
  const { north, south, omitted, ...covers } = images;
  expect(mapValues(covers, (image) => [image.colourAt(5, 150), image.colourAt(94, 150)])).toEqual({
    west: [RED, RED],
    center: [RED, GREEN],
    east: [GREEN, GREEN],
    northeast: [GREEN, GREEN],
  });
  expect(mapValues({ north, south }, (image) => [image.colourAt(20, 20), image.colourAt(20, 280)])).toEqual({
    north: [RED, WHITE],
    south: [WHITE, RED],
  });
  expect(omitted.pixelAt(5, 5), "a background of the page itself, with omit_background").toEqual([...RED, 255]);
});

describe("omit_background", () => {
  const omitted = { omit_background: true };
  const contain = { image_width: 100, image_height: 100, image_fit: "contain" };

  test("makes the background transparent and keeps the content, in each format and area, and is off by default", async () => {
    const images = await imagesOf("/box", {
      plain: {},
      png: omitted,
      webp: { ...omitted, format: "webp" },
      avif: { ...omitted, format: "avif" },
      element: { ...omitted, selector: "#box", selector_padding: 20 },
      thumbnail: { ...omitted, image_width: 200 },
      contained: { ...omitted, ...contain },
      translucent: { ...contain, image_background: "rgba(0, 0, 0, 0.5)" },
    });
    const { plain, png, webp, avif, element, thumbnail, contained, translucent } = images;
    expect(plain.pixelAt(...outside)).toEqual([...WHITE, 255]);
    for (const [name, image] of Object.entries({ png, webp, avif })) {
      const alphas = [image.pixelAt(...outside)[3], image.pixelAt(...inside)[3]];
      const isRed = isLike(image.pixelAt(...inside), RED);
      expect({ name, hasAlpha: image.hasAlpha, alphas, isRed }).toEqual({
        ...{ name, hasAlpha: true, alphas: [0, 255], isRed: true },
      });
    }
    expect([element.pixelAt(2, 2)[3], thumbnail.pixelAt(2, 2)[3]]).toEqual([0, 0]);
    expect([contained.pixelAt(50, 2), translucent.pixelAt(50, 2)]).toEqual([
      [...BLACK, 0],
      [...BLACK, 128],
    ]);
  });

  slowTest.each([
    ["a full page", { full_page: true }],
    ["a full page by sections", { full_page: true, full_page_algorithm: "by_sections" }],
  ])("applies to %s", async (_, options) => {
    const image = await imageOf("/box", { ...omitted, ...options });
    expect(image.pixelAt(2, 2)[3]).toBe(0);
  });
});

test("image_background is rendered as Chromium does for all functions of CSS Color 4", async () => {
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
