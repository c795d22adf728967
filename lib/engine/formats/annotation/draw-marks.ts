// Draws marks over a picture: a frame around each element, its number, and a line where the number isn't next to it.
import type { Area } from "../../geometry/area.ts";
import type { Size } from "../screenshot/encoding.ts";
import type { PlacedLabel } from "./place-labels.ts";

/** A part of the drawing, and where it is in the picture. */
export interface Overlay {
  readonly input: Buffer;
  readonly left: number;
  readonly top: number;
}

/** Height of digits in image pixels: readable, also for models, at any size of the picture. */
const DIGIT_PX = 12;
const MIN_DIGIT_PX = 11;
const MAX_DIGIT_PX = 30;

/** The height of digits in a picture with `scale` pixels per CSS pixel. */
export function digitHeight(scale: number): number {
  return Math.round(Math.min(MAX_DIGIT_PX, Math.max(MIN_DIGIT_PX, DIGIT_PX * scale)));
}

/** The size of a label, by its number. */
export function labelSize(number: number, digitPx: number): Size {
  const digits = String(number).length;
  const padding = Math.round(digitPx / 5);
  return { width: Math.ceil(digits * DIGIT_STEP * digitPx) + 2 * padding, height: digitPx + 2 * padding };
}

/** From one digit to the next, as a share of its height. */
const DIGIT_STEP = 0.72;

/** The digits as strokes in a box of 6 × 10, because the machine may have no font that sharp finds. */
const DIGITS = [
  "M3 .8C1.4.8.8 2.7.8 5S1.4 9.2 3 9.2 5.2 7.3 5.2 5 4.6.8 3 .8Z",
  "M1.2 2.5 3.4.8V9.2",
  "M1 2.7C1.2 1.5 2 .8 3 .8 4.3.8 5.1 1.7 5.1 2.9 5.1 5 1.6 6.4.9 9.2H5.2",
  "M1 1.9C1.4 1.2 2.1.8 3 .8 4.2.8 5 1.6 5 2.7S4.2 4.7 2.6 4.7C4.3 4.7 5.2 5.6 5.2 6.9S4.3 9.2 3 9.2C2 9.2 1.2 8.7.8 7.8",
  "M4.1 9.2V.8L.8 6.7H5.6",
  "M4.9.8H1.5L1.1 4.6C1.6 4.2 2.3 3.9 3 3.9 4.3 3.9 5.2 5 5.2 6.5S4.3 9.2 2.9 9.2C2 9.2 1.3 8.8.9 8.1",
  "M4.8 1.7C4.4 1.1 3.8.8 3.1.8 1.6.8.8 2.6.8 5.4.8 7.9 1.6 9.2 3 9.2 4.3 9.2 5.2 8.2 5.2 6.7S4.3 4.2 3 4.2C1.9 4.2 1.1 5 .8 6",
  "M.9.8H5.2C3.7 3.2 2.7 6 2.4 9.2",
  "M3 4.6C1.8 4.6 1.1 3.8 1.1 2.7S1.8.8 3 .8 4.9 1.6 4.9 2.7 4.2 4.6 3 4.6C1.7 4.6.8 5.5.8 6.9S1.7 9.2 3 9.2 5.2 8.3 5.2 6.9 4.3 4.6 3 4.6Z",
  "M1.2 8.3C1.6 8.9 2.2 9.2 2.9 9.2 4.4 9.2 5.2 7.4 5.2 4.6 5.2 2.1 4.4.8 3 .8 1.7.8.8 1.8.8 3.3S1.7 5.8 3 5.8C4.1 5.8 4.9 5 5.2 4",
] as const;

/** Dark enough for white digits, and far from the colours of most pages; a white line separates it from dark ones. */
const COLOUR = "#c2185b";

/** Parts of a tall picture, so that none is drawn at once. */
const BAND_PX = 2_000;

/** The drawing in bands; those without marks are left out. */
export function drawMarks(labels: readonly PlacedLabel[], image: Size, digitPx: number): readonly Overlay[] {
  const overlays: Overlay[] = [];
  for (let top = 0; top < image.height; top += BAND_PX) {
    const height = Math.min(BAND_PX, image.height - top);
    const touching = labels.filter((each) => reach(each).some(([from, to]) => from < top + height && to > top));
    if (touching.length === 0) continue;
    const drawing = [
      ...touching.map((each) => drawFrame(each.box, digitPx)),
      ...touching.filter(({ hasLeader }) => hasLeader).map((each) => drawLeader(each, digitPx)),
      ...touching.map((each) => drawLabel(each, digitPx)),
    ];
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${image.width}" height="${height}" ` +
      `viewBox="0 ${top} ${image.width} ${height}" fill="none">${drawing.join("")}</svg>`;
    overlays.push({ input: Buffer.from(svg), left: 0, top });
  }
  return overlays;
}

/** The rows that a mark touches. */
function reach({ box, label }: PlacedLabel): readonly (readonly [number, number])[] {
  const from = Math.min(box.y, label.y);
  const to = Math.max(box.y + box.height, label.y + label.height);
  return [[from - 4, to + 4]];
}

function drawFrame({ x, y, width, height }: Area, digitPx: number): string {
  const line = Math.max(1, Math.round(digitPx / 10));
  const rect = (color: string, strokeWidth: number) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="2" stroke="${color}" stroke-width="${strokeWidth}"/>`;
  return `<g opacity=".85">${rect("#fff", line + 1.5)}${rect(COLOUR, line)}</g>`;
}

function drawLeader({ box, label }: PlacedLabel, digitPx: number): string {
  const [fromX, fromY] = [label.x + label.width / 2, label.y + label.height / 2];
  const [toX, toY] = [within(fromX, box.x, box.width), within(fromY, box.y, box.height)];
  const path = (color: string, width: number) =>
    `<path d="M${fromX} ${fromY}L${toX} ${toY}" stroke="${color}" stroke-width="${width}"/>`;
  const line = Math.max(1, digitPx / 8);
  return `${path("#fff", line + 1.5)}${path(COLOUR, line)}<circle cx="${toX}" cy="${toY}" r="${line + 1}" fill="${COLOUR}"/>`;
}

const within = (value: number, from: number, size: number) => Math.max(from, Math.min(from + size, value));

function drawLabel({ number, label }: PlacedLabel, digitPx: number): string {
  const { x, y, width, height } = label;
  const scale = digitPx / 10;
  const digits = [...String(number)].map((digit, index) => {
    const left = x + (width - String(number).length * DIGIT_STEP * digitPx) / 2 + index * DIGIT_STEP * digitPx;
    const at = `translate(${left + 0.06 * digitPx} ${y + (height - digitPx) / 2}) scale(${scale})`;
    return `<path d="${DIGITS[Number(digit)]}" transform="${at}"/>`;
  });
  return (
    `<rect x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="${digitPx / 4}" fill="${COLOUR}" stroke="#fff"/>` +
    `<g stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${digits.join("")}</g>`
  );
}
