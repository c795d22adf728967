// The comparison of a picture of the whole page with what the window showed.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Area } from "../../../../lib/engine/geometry/area.ts";
import {
  type Comparison,
  decodeReferences,
  findMissing,
  type Reference,
  type ViewPicture,
} from "../../../../lib/engine/outputs/screenshot/reference-views.ts";

const [WIDTH, WINDOW, HEIGHT] = [80, 64, 256];
const WHITE = [255, 255, 255];
const RED = [200, 0, 0];

/** A picture whose pixels have the colour that `colourAt` returns. */
function draw(height: number, colourAt: (x: number, y: number) => readonly number[]): ViewPicture {
  const pixels = new Uint8Array(WIDTH * height * 3);
  for (let y = 0; y < height; y++) for (let x = 0; x < WIDTH; x++) pixels.set(colourAt(x, y), (y * WIDTH + x) * 3);
  return { width: WIDTH, height, pixels };
}

/** A page with a red block of 40 × 32 pixels at the top of each 64. */
const blocks = (x: number, y: number) => (x < 40 && y % 64 < 32 ? RED : WHITE);

/** Views of a page, all 64 pixels of its picture; a view has four times as many CSS pixels. */
function viewsOf(
  colourAt: (x: number, y: number) => readonly number[],
  ignored: readonly Area[] = [],
): Promise<Reference[]> {
  return Promise.all(
    [0, 64, 128, 192].map(async (top) => {
      const { pixels } = draw(WINDOW, (x, y) => colourAt(x, y + top));
      const raw = { width: WIDTH, height: WINDOW, channels: 3 } as const;
      const image = await sharp(pixels, { raw }).jpeg({ quality: 95 }).toBuffer();
      const scrolled = { x: 0, y: 0, width: WIDTH * 4, height: WINDOW * 4 };
      return {
        view: { width: WIDTH * 4, height: WINDOW * 4, scrolled, left: 0, top: top * 4, ignored, background: WHITE },
        image,
      };
    }),
  );
}

const compare = async (
  whole: ViewPicture,
  references: readonly Reference[],
  more: Partial<Omit<Comparison, "references">> = {},
) => {
  const area = { x: 0, y: 0, width: WIDTH * 4, height: HEIGHT * 4 };
  const decoded = await decodeReferences(references);
  return findMissing({ whole, references: decoded, area, origin: { x: 0, y: 0 }, ignored: [], ...more });
};

describe("reference views", () => {
  test("miss nothing in a picture that shows the same", async () => {
    expect(await compare(draw(HEIGHT, blocks), await viewsOf(blocks))).toEqual([]);
  });

  test("find what is blank in the picture, in CSS pixels of the page", async () => {
    const whole = draw(HEIGHT, (x, y) => (y >= 128 && y < 192 ? WHITE : blocks(x, y)));
    expect(await compare(whole, await viewsOf(blocks))).toEqual([{ x: 0, y: 512, width: 160, height: 128 }]);
  });

  test("find what is half transparent", async () => {
    const whole = draw(HEIGHT, (x, y) => (y < 64 && blocks(x, y) === RED ? [228, 128, 128] : blocks(x, y)));
    expect(await compare(whole, await viewsOf(blocks))).toEqual([{ x: 0, y: 0, width: 160, height: 128 }]);
  });

  test("do not mind what they do not show: a picture has more than an element that is not revealed yet", async () => {
    expect(await compare(draw(HEIGHT, blocks), await viewsOf(() => WHITE))).toEqual([]);
  });

  test("do not mind edges that lie a pixel beside", async () => {
    const whole = draw(HEIGHT, (x, y) => blocks(x, y + 1));
    expect(await compare(whole, await viewsOf(blocks))).toEqual([]);
  });

  test("leave out what is elsewhere: boxes of the window, and of the page", async () => {
    const blank = draw(HEIGHT, () => WHITE);
    const box = { x: 0, y: 0, width: 160, height: 128 };
    expect(await compare(blank, await viewsOf(blocks, [box]))).toEqual([]);
    const onPage = [0, 256, 512, 768].map((y) => ({ ...box, y }));
    expect(await compare(blank, await viewsOf(blocks), { ignored: onPage })).toEqual([]);
    expect(await compare(blank, await viewsOf(blocks), { ignored: onPage.slice(1) })).toEqual([box]);
  });

  test("compare the content of an element that scrolls in place of the page where the page has it", async () => {
    const whole = draw(HEIGHT, (x, y) => blocks(x, y + HEIGHT - 32));
    const references = await viewsOf(blocks);
    expect(await compare(whole, references, { origin: { x: 0, y: 32 * 4 } })).toEqual([]);
    expect(await compare(whole, references)).not.toEqual([]);
  });
});
