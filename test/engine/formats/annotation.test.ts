// Marked pictures: where the numbers are, and that the page can't see or change them.
import { describe, expect, test } from "vitest";
import { labelSize } from "../../../lib/engine/formats/annotation/draw-marks.ts";
import { placeLabels } from "../../../lib/engine/formats/annotation/place-labels.ts";
import { placeInResized } from "../../../lib/engine/formats/screenshot/resizing.ts";
import { type Area, intersect } from "../../../lib/engine/geometry/area.ts";
import { decode } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";

const size = (number: number) => labelSize(number, 12);
const place = (boxes: readonly Area[], image = { width: 400, height: 300 }, texts = boxes) =>
  placeLabels(
    boxes.map((box, index) => ({ number: index + 1, box, text: texts[index] ?? null })),
    { image, texts, labelSize: size },
  );
const box = (x: number, y: number, width = 80, height = 20): Area => ({ x, y, width, height });

describe("numbers in a picture", () => {
  test("stand next to their element, outside of it", () => {
    const [label] = place([box(100, 100)]);
    expect(label).toMatchObject({ hasLeader: false, coversName: false, label: { x: 100, y: 100 - size(1).height } });
  });

  test("never cover each other, nor names where there is room, and have a line where they aren't next to it", () => {
    const grid = Array.from({ length: 40 }, (_, at) => box(20 + 90 * (at % 4), 10 + 22 * Math.floor(at / 4)));
    const labels = place(grid);
    expect(labels).toHaveLength(40);
    for (const [index, { label }] of labels.entries())
      expect(labels.slice(index + 1).some((other) => intersect(other.label, label))).toBe(false);
    expect(labels.filter(({ coversName, hasLeader }) => coversName && !hasLeader)).toEqual([]);
  });

  test("stay inside the picture", () => {
    for (const { label } of place([box(0, 0), box(360, 0, 40), box(0, 280), box(390, 290, 10, 10)])) {
      expect(label.x >= 0 && label.y >= 0 && label.x + label.width <= 400 && label.y + label.height <= 300).toBe(true);
    }
  });

  test("stand in a wide element where others are on all sides, off its text", () => {
    const rows = [0, 1, 2].map((at) => box(0, 20 * at, 400, 20));
    const texts = rows.map(({ y }) => box(4, y + 2, 60, 16));
    const [, middle] = place(rows, { width: 400, height: 60 }, texts);
    expect(middle).toMatchObject({ hasLeader: false, coversName: false });
    expect(intersect(middle?.label ?? box(0, 0), box(0, 20, 400, 20))).toEqual(middle?.label);
  });

  test("of an element inside another one may stand on the outer one", () => {
    const [, inner] = place([box(100, 100, 200, 80), box(110, 110, 20, 20)], undefined, [box(140, 110, 100, 60)]);
    expect(inner).toMatchObject({ hasLeader: false, coversName: false, label: { x: 110 - size(2).width, y: 110 } });
  });

  test("are left out where only another number's place is left", () => {
    expect(place([box(0, 0, 20, 20), box(0, 0, 20, 20)], { width: 20, height: 20 })).toHaveLength(1);
  });
});

test.each([
  [
    { width: 50, fit: "inside", position: "center" },
    { scaleX: 0.5, scaleY: 0.5, left: 0, top: 0 },
  ],
  [
    { width: 50, height: 50, fit: "fill", position: "center" },
    { scaleX: 0.5, scaleY: 1, left: 0, top: 0 },
  ],
  [
    { width: 50, height: 50, fit: "cover", position: "east" },
    { scaleX: 1, scaleY: 1, left: -50, top: 0 },
  ],
  [
    { width: 50, height: 50, fit: "contain", position: "south" },
    { scaleX: 0.5, scaleY: 0.5, left: 0, top: 25 },
  ],
] as const)("an image that is resized by %o is where it is said to be", (resizing, expected) => {
  expect(placeInResized({ width: 100, height: 50 }, resizing)).toEqual(expected);
});

describe("annotate", () => {
  const page = `<style>body{margin:0;background:#fff}a{position:absolute;left:100px;width:60px;height:30px;background:#0f0}</style>
    <a href="/1" style="top:50px">One</a><a href="/2" style="top:400px">Two</a><script>
    new MutationObserver(() => { document.body.style.background = "red" }).observe(document, { subtree: true, childList: true,
    attributes: true })</script>`;
  const marked = (options: object) =>
    captureWith({
      html: page,
      annotate: true,
      response_type: "json",
      viewport_width: 300,
      viewport_height: 200,
      ...options,
    });

  test("maps marks to elements in image pixels, of what the picture shows, and doesn't touch the page", async () => {
    const { body, metadata } = await marked({ device_scale_factor: 2 });
    expect(metadata.marks).toEqual([
      {
        mark: 1,
        ref: "e1",
        role: "link",
        name: "One",
        frame: null,
        selector: "html > body > a:nth-of-type(1)",
        box: { x: 200, y: 100, width: 120, height: 60 },
      },
    ]);
    const { colourAt } = await decode(body);
    expect(colourAt(580, 380)).toEqual([255, 255, 255]);
    expect(colourAt(310, 150)).toEqual([0, 255, 0]);
    expect(colourAt(203, 80)).toEqual([194, 24, 91]); // the label above the link
  });

  test("marks a full page and a resized picture at their places", async () => {
    const { metadata } = await marked({ full_page: true, image_width: 150, metadata_elements: true });
    expect(metadata.marks?.map(({ mark, box: place }) => [mark, place])).toEqual([
      [1, { x: 50, y: 25, width: 30, height: 15 }],
      [2, { x: 50, y: 200, width: 30, height: 15 }],
    ]);
    expect(metadata.elements?.elements.map(({ ref }) => ref)).toEqual(["e1", "e2"]);
  });

  test("leaves out what only groups others, and marks texts with elements_scope all", async () => {
    const html = `<ul><li>One<li>Two</ul><table><tr><td>Cell</table>`;
    const { metadata } = await marked({ html, elements_scope: "all" });
    expect(metadata.marks?.map(({ role }) => role)).toEqual(["listitem", "listitem", "row", "cell"]);
  });

  test("leaves out what others cover", async () => {
    const cover = `<div style="position:fixed;inset:0;background:#000c"></div><button style="position:fixed;top:9px">OK</button>`;
    const { metadata } = await marked({ html: page + cover });
    expect(metadata.marks?.map(({ name }) => name)).toEqual(["OK"]);
  });
});
