// Bounding box of the changes between two frames.
import { expect, test } from "vitest";
import { changedBox } from "../../../../lib/engine/formats/video/frame-difference.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";

const [WIDTH, HEIGHT] = [24, 16];

function frame(changed: readonly (readonly [x: number, y: number])[] = []) {
  const data = new Uint32Array(WIDTH * HEIGHT).fill(0xff102030);
  for (const [x, y] of changed) data[y * WIDTH + x] = 0xff102031;
  return { width: WIDTH, height: HEIGHT, data };
}

test("frame difference: equal frames have none", () => {
  expect(changedBox(frame(), frame())).toBeUndefined();
});

test.each([
  [[[0, 0]], { left: 0, top: 0, width: 1, height: 1 }],
  [[[23, 15]], { left: 23, top: 15, width: 1, height: 1 }],
  [
    [
      [3, 9],
      [11, 4],
    ],
    { left: 3, top: 4, width: 9, height: 6 },
  ],
  [
    [
      [0, 15],
      [23, 0],
    ],
    { left: 0, top: 0, width: 24, height: 16 },
  ],
] as const)("frame difference: the box of %j is the smallest", (changed, box) => {
  expect(changedBox(frame(), frame(changed))).toEqual(box);
});

test("frame difference: the box holds every changed pixel, and one at each of its sides", () => {
  const random = seededRandom(8);
  for (let round = 0; round < 200; round++) {
    const changed = Array.from(
      { length: 1 + Math.floor(random() * 6) },
      () => [Math.floor(random() * WIDTH), Math.floor(random() * HEIGHT)] as const,
    );
    const [columns, rows] = [changed.map(([x]) => x), changed.map(([, y]) => y)];
    const [left, top] = [Math.min(...columns), Math.min(...rows)];
    const [width, height] = [Math.max(...columns) - left + 1, Math.max(...rows) - top + 1];
    expect(changedBox(frame(), frame(changed))).toEqual({ left, top, width, height });
  }
});
