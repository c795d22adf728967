// Parts of a page that its picture lacks although a visitor sees them while scrolling: found by comparison with the reference
// views, captured where they are in view, and put into the picture.
import * as v from "valibot";
import { type Area, intersect, toDevicePixels } from "../../geometry/area.ts";
import type { PinnedScene } from "../../injected/pinned-scenes.ts";
import type * as referenceView from "../../injected/reference-view.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { pointSchema } from "../../page/result-schemas.ts";
import { measureLayout, pageOrigin } from "../../page/viewport.ts";
import { withoutScenes } from "./pinned-scenes.ts";
import { loadSharp } from "./raster-source.ts";
import { type DecodedReference, findMissing, takeSmallPicture } from "./reference-views.ts";
import { isAreaInWindow, type ScaledPage } from "./screenshot.ts";
import type { Part } from "./sections.ts";

/** A page whose picture is compared. */
export interface ComparedCapture extends ScaledPage {
  /** What the picture shows, in CSS pixels of the page. */
  readonly area: Area;
  readonly movedInView: readonly Area[];
  /** Scenes that stand in the page once, without the space in which the references show them. */
  readonly scenes: readonly PinnedScene[];
}

/**
 * Finds what the picture of the page's area, as it is now, lacks, given its reference views. The areas do not overlap. Pages that were not scrolled, and
 * those that a phone shows zoomed out, are not compared.
 */
export async function findMissingParts(
  page: ComparedCapture,
  decoding: Promise<readonly DecodedReference[]>,
): Promise<Area[]> {
  const { area, scale, window, frameScheduler, movedInView: ignored } = page;
  const references = await decoding;
  if (references.length === 0 || !frameScheduler || scale !== window.scale) return [];
  if (await isAreaInWindow(page, area)) return [];
  if (await evaluateInIsolatedWorld(page, playsScenes)) return [area];
  const scrolled = await evaluateInIsolatedWorld(page, scrolledOrigin);
  if (!scrolled) return [];
  const { metrics } = await measureLayout(page);
  const origin = { x: scrolled.x + pageOrigin(metrics), y: scrolled.y };
  const whole = await takeSmallPicture(page, area, frameScheduler);
  const comparable = references.flatMap(({ view, shown }) => {
    const remaining = withoutScenes(view, page.scenes);
    return remaining ? [{ view: remaining, shown }] : [];
  });
  const found = findMissing({ whole, area, origin, references: comparable, ignored });
  const onPage = found.map((part) => intersect(part, area)).filter((part) => part !== undefined);
  return mergeOverlapping(onPage);
}

/** True when the parts are so much of the area that all of it is better captured in the same way. */
export function isMost(area: Area, parts: readonly Area[]): boolean {
  const pixels = parts.reduce((sum, { width, height }) => sum + width * height, 0);
  return pixels > (area.width * area.height) / 2;
}

/** Parts that a warning names. */
const MAX_DESCRIBED = 5;

/** The positions and sizes of parts, for a warning. */
export function describeParts(parts: readonly Area[]): string {
  const described = parts
    .slice(0, MAX_DESCRIBED)
    .map(({ x, y, width, height }) => `${width} × ${height} pixels at ${x}, ${y}`);
  const others = parts.length - described.length;
  return described.join("; ") + (others > 0 ? `; and ${others} more` : "");
}

/** Puts pictures of parts into the tiles of a picture of `area`, which are of equal height but for the last. */
export async function pasteParts(
  tiles: readonly Buffer[],
  parts: readonly Part[],
  { area, scale }: { readonly area: Area; readonly scale: number },
): Promise<Buffer[]> {
  if (parts.length === 0) return [...tiles];
  const sharp = await loadSharp();
  const toPixels = ({ x, y, ...size }: Area): Area => ({
    x: Math.round((x - area.x) * scale),
    y: Math.round((y - area.y) * scale),
    ...toDevicePixels(size as Area, scale),
  });
  const pasted: Buffer[] = [];
  let top = 0;
  for (const tile of tiles) {
    const { width, height } = await sharp(tile).metadata();
    const shown = { x: 0, y: top, width, height };
    top += height;
    const inputs = parts.flatMap(({ area, image }) => {
      const part = toPixels(area);
      const common = intersect(part, shown);
      return common ? [{ part, common, image }] : [];
    });
    if (inputs.length === 0) {
      pasted.push(tile);
      continue;
    }
    const layers = inputs.map(async ({ part, common, image }) => {
      const { width, height } = await sharp(image).metadata();
      const crop = {
        left: common.x - part.x,
        top: common.y - part.y,
        width: Math.min(common.width, width - (common.x - part.x)),
        height: Math.min(common.height, height - (common.y - part.y)),
      };
      const input = await sharp(image).extract(crop).png({ compressionLevel: 1 }).toBuffer();
      return { input, left: common.x, top: common.y - shown.y };
    });
    pasted.push(
      await sharp(tile)
        .composite(await Promise.all(layers))
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
  }
  return pasted;
}

/** Merges areas that overlap into their common bounding boxes. */
function mergeOverlapping(areas: readonly Area[]): Area[] {
  const merged: Area[] = [];
  for (const area of areas) {
    let grown = area;
    for (let index = merged.length - 1; index >= 0; index--) {
      const other = merged[index];
      if (!other || !intersect(other, grown)) continue;
      grown = unite(other, grown);
      merged.splice(index, 1);
      index = merged.length; // it may overlap others now
    }
    merged.push(grown);
  }
  return merged;
}

function unite(one: Area, other: Area): Area {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}

const playsScenes: PageFunction<typeof referenceView.playsScenes> = pageFunction("fullPage", "playsScenes", {
  result: v.boolean(),
});

const scrolledOrigin: PageFunction<typeof referenceView.scrolledOrigin> = pageFunction("fullPage", "scrolledOrigin", {
  result: v.nullable(pointSchema),
});
