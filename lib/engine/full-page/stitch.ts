// Stitches the windows of a visit into the tiles of one picture.

import { loadSharp } from "../formats/screenshot/raster-source.ts";
import { type Area, toDevicePixels } from "../geometry/area.ts";
import { type PixelBox, paneBox } from "./compare.ts";
import { type Joined, type JoinWindow, joinWindows, nodeOf, type Seam, type WindowPiece } from "./join.ts";
import type { PictureLayout } from "./map-boxes.ts";
import { type GrowingBox, layOutPanes } from "./pane-layout.ts";
import type { Pane } from "./panes.page.ts";
import { findStretchRow, isSteady } from "./stretch-row.ts";
import type { Visit } from "./visit.ts";
import type { VisitedWindow } from "./visit-windows.ts";
import type { WindowComparison } from "./window-comparison.ts";

export interface Stitched {
  /** PNGs from top to bottom, all of equal height except the last. */
  readonly tiles: Buffer[];
  /** In image pixels. */
  readonly width: number;
  readonly height: number;
  /** The height that it would have without `maxHeight`. */
  readonly fullHeight: number;
  readonly seams: readonly Seam[];
  /** The first rows of texts and pictures that windows showed and the picture lacks. */
  readonly missingRows: readonly number[];
  readonly layout: PictureLayout;
}

/** Pixels of a tile. */
const TILE_PIXELS = 4_000_000;

/** A part of the picture that scrolls: a column of windows, or all of it. In image pixels. */
interface Column {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tops: readonly number[];
  readonly rows: number;
  readonly joined: Joined;
}

export interface Stitching {
  /** In CSS pixels. */
  readonly maxHeight: number;
  readonly crop?: Crop;
}

/** A part of the picture, in CSS pixels of it. What is beyond it is white, unless the picture is transparent. */
export interface Crop {
  readonly part: Area;
  readonly isTransparent: boolean;
}

export async function stitch(visit: Visit, { maxHeight, crop }: Stitching): Promise<Stitched> {
  const { windows, panes, area, scale, lead, comparison } = visit;
  const { width, height } = toDevicePixels(area, scale);
  const whole = panes.some(({ isPage }) => isPage);
  const columns: Column[] = [];
  for (const [index, pane] of panes.entries()) {
    const box = paneBox(pane, area, scale);
    columns.push(await joinColumn(visit, { box, scale, pane: index }));
  }
  const pictures = windows.map(({ image }) => image);
  const seams = columns.flatMap(({ joined }) => joined.seams);
  const growing = columns.map((column) => ({ ...column, growth: column.rows - column.height }));
  const first = whole || !pictures[0] ? undefined : await comparison.pixels(pictures[0]);
  const { shifts, growth, around } = layOutPanes(growing, {
    width,
    height,
    ...(first && { stretchRow: (part, span) => findStretchRow(first, part, span) }),
  });
  const missingRows = columns.flatMap(({ y, joined }, index) =>
    joined.missing.map(({ top }) => y + (shifts[index] ?? 0) + top),
  );
  const rows = Math.min(height + growth, Math.round(maxHeight * scale));
  const fills: Fill[] = [];
  for (const [index, pane] of whole ? [] : panes.entries())
    fills.push(await fillBelow(columns[index] as Column, pane, visit));
  const surroundings = around.map(({ filledLike, ...part }): Strip => {
    return { ...part, window: 0, ...(filledLike !== undefined && fills[filledLike]) };
  });
  const strips = [
    ...(whole ? [] : surroundings),
    ...columns.flatMap((column, index) => columnStrips(column, shifts[index] ?? 0)),
  ];
  const leadRows = Math.round((lead?.height ?? 0) * scale);
  const moved = strips.map((strip) => ({ ...strip, from: strip.from + leadRows, to: strip.to + leadRows }));
  if (lead) moved.push({ x: 0, width, from: 0, to: leadRows, window: pictures.push(lead.image) - 1, sourceRow: 0 });
  const furthest = panes.map(({ maxOffset }, index) => {
    const { growth: grown = 0, ...box } = growing[index] as GrowingBox;
    return { ...box, growth: Math.max(grown, Math.round(maxOffset * scale)) };
  });
  const fullHeight = height + leadRows + layOutPanes(furthest, { width, height }).growth;
  const allRows = Math.min(rows + leadRows, Math.round(maxHeight * scale));
  const tiles = crop
    ? await drawCrop(moved, { pictures, comparison, crop, scale })
    : await drawTiles(moved, { pictures, comparison, width, rows: allRows });
  const layout = layoutOf(columns, { windows, scale, isPage: whole, shifts, growth, leadRows });
  return { tiles, width, height: allRows, fullHeight: Math.max(fullHeight, allRows), seams, missingRows, layout };
}

interface Layout {
  readonly windows: readonly VisitedWindow[];
  readonly scale: number;
  readonly isPage: boolean;
  /** By how many rows each column moves down, and the picture is taller than the window. */
  readonly shifts: readonly number[];
  readonly growth: number;
  readonly leadRows: number;
}

function layoutOf(
  columns: readonly Column[],
  { windows, scale, isPage, shifts, growth, leadRows }: Layout,
): PictureLayout {
  const last = windows.at(-1);
  const end = last ? last.top + (isPage ? 0 : growth / scale - last.offset) : 0;
  return {
    columns: columns.map(({ x, y: top, width, height, joined }, index) => {
      const y = top + leadRows + (shifts[index] ?? 0);
      const pieces = joined.pieces.map(({ window, from, to }) => ({
        from: (y + from) / scale,
        to: (y + to) / scale,
        shift: (windows[window]?.top ?? 0) - (windows[window]?.offset ?? 0),
      }));
      return { x: x / scale, y: y / scale, width: width / scale, height: height / scale, pieces };
    }),
    isPage,
    grown: growth / scale,
    feet: (last?.pins ?? [])
      .filter(({ kind }) => kind === "foot")
      .map(({ top, height }) => ({ top, bottom: top + height, by: end })),
  };
}

/** What is below the content of a pane that ends above the others: its background, or its last row where that is a picture or a gradient. */
async function fillBelow(column: Column, { background }: Pane, { windows, comparison }: Visit): Promise<Fill> {
  const window = column.joined.pieces.at(-1)?.window ?? 0;
  const sourceRow = column.y + column.height - 1;
  const image = windows[window]?.image;
  if (background.length > 0 || !image) return { window, sourceRow, colour: background };
  const isGoingOn = isSteady(await comparison.pixels(image), sourceRow, column);
  return isGoingOn ? { window, sourceRow, isRepeated: true } : { window, sourceRow, colour: background };
}

/** Windows before one with which it is compared. */
const MAX_COMPARED = 8;

interface ColumnOptions {
  readonly box: PixelBox;
  readonly scale: number;
  /** The number of the pane. */
  readonly pane: number;
}

async function joinColumn(visit: Visit, { box, scale, pane }: ColumnOptions): Promise<Column> {
  const { windows, pinnedNodes, comparison } = visit;
  const tops = windows.map((window) => comparison.rowOf(window, pane));
  const rows = Math.max(...tops) + box.height;
  const compared = new Map<number, Float32Array>();
  for (const [at, lower] of windows.entries())
    for (let before = Math.max(0, at - MAX_COMPARED); before < at; before++) {
      const upper = windows[before];
      if (!upper || (tops[before] ?? 0) + box.height <= (tops[at] ?? 0)) continue;
      const shares = await comparison.differences(upper, lower, { pane });
      if (shares) compared.set(before * windows.length + at, shares);
    }
  const joinable = windows.map(({ items, isStage }, at): JoinWindow => {
    const top = tops[at] ?? 0;
    const shown = items
      .filter(({ x, width }) => x * scale < box.x + box.width && (x + width) * scale > box.x)
      .map(({ id, kind, y, height }) => {
        const isPinned = pinnedNodes.has(nodeOf(id));
        const first = Math.round(y * scale - box.y + top);
        return { id, kind, isPinned, top: first, bottom: Math.round((y + height) * scale - box.y + top) };
      })
      .filter((item) => item.bottom > top && item.top < top + box.height);
    return { top, items: shown, isStage };
  });
  const difference = (upper: number, lower: number, row: number) =>
    compared.get(upper * windows.length + lower)?.[row - (tops[lower] ?? 0)] ?? 1;
  const joined = joinWindows({ windows: joinable, height: box.height, rows, scale, difference });
  return { ...box, tops, rows, joined };
}

/** Rows of a window that are drawn into the picture. A single source row is repeated, or a colour takes its place. */
interface Strip {
  readonly x: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly window: number;
  readonly sourceRow: number;
  /** Where it begins in the window. @default - where it is in the picture */
  readonly sourceX?: number;
  readonly isRepeated?: true;
  /** Red, green and blue, 0 to 255. */
  readonly colour?: readonly number[];
}

type Fill = Pick<Strip, "window" | "sourceRow" | "isRepeated" | "colour">;

interface Drawing {
  readonly pictures: readonly Buffer[];
  readonly comparison: WindowComparison;
  readonly width: number;
  readonly rows: number;
  /** A pixel that no strip draws. @default - a transparent one */
  readonly base?: number;
}

interface CropDrawing extends Pick<Drawing, "pictures" | "comparison"> {
  readonly crop: Crop;
  readonly scale: number;
}

function drawCrop(strips: readonly Strip[], { crop, scale, ...drawing }: CropDrawing): Promise<Buffer[]> {
  const { part, isTransparent } = crop;
  const [left, top] = [Math.round(part.x * scale), Math.round(part.y * scale)];
  const { width, height: rows } = toDevicePixels(part, scale);
  const base = isTransparent ? 0 : toPixel([]);
  const cropped = strips.flatMap((strip) => {
    const [x, right] = [Math.max(0, strip.x - left), Math.min(width, strip.x + strip.width - left)];
    if (x >= right) return [];
    return [{ ...strip, x, width: right - x, sourceX: x + left, from: strip.from - top, to: strip.to - top }];
  });
  return drawTiles(cropped, { ...drawing, width, rows, base });
}

async function drawTiles(
  strips: readonly Strip[],
  { pictures, comparison, width, rows, base = 0 }: Drawing,
): Promise<Buffer[]> {
  const sharp = await loadSharp();
  const tileRows = Math.max(1, Math.floor(TILE_PIXELS / width));
  const tiles: Buffer[] = [];
  for (let top = 0; top < rows; top += tileRows) {
    const height = Math.min(tileRows, rows - top);
    const data = new Uint32Array(width * height).fill(base);
    for (const strip of strips) {
      const [from, to] = [Math.max(top, strip.from), Math.min(top + height, strip.to)];
      if (from >= to) continue;
      const { colour } = strip;
      const picture = colour ? undefined : pictures[strip.window];
      const source = picture && (await comparison.pixels(picture));
      for (let row = from; row < to; row++) {
        const start = (row - top) * width + strip.x;
        if (!source) {
          data.fill(toPixel(colour ?? []), start, start + strip.width);
          continue;
        }
        const sourceRow = strip.isRepeated ? strip.sourceRow : strip.sourceRow + row - strip.from;
        if (sourceRow >= source.height) break;
        const first = sourceRow * source.width + (strip.sourceX ?? strip.x);
        data.set(source.data.subarray(first, first + strip.width), start);
      }
    }
    const raw = { width, height, channels: 4 } as const;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    tiles.push(await sharp(bytes, { raw }).png({ compressionLevel: 1 }).toBuffer());
  }
  return tiles;
}

/** An opaque pixel as `decode` has them. */
function toPixel([red = 255, green = 255, blue = 255]: readonly number[]): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function columnStrips({ x, y, width, tops, joined }: Column, shift: number): Strip[] {
  return joined.pieces.map(({ window, from, to }: WindowPiece) => ({
    x,
    width,
    from: y + from + shift,
    to: y + to + shift,
    window,
    sourceRow: y + from - (tops[window] ?? 0),
  }));
}
