// Checks a full page of a generated page: every block that a visitor sees while scrolling is in it, once, at its place, with its
// colour and its text; none twice, nothing else.
//
// What is right is taken from a visit in plain Chromium, not from the layout rules of the generator: rules would have to repeat
// what a browser's layout does with nested zoom, columns, snapping and containment, and be wrong where that is surprising. The
// generator only says which block has which colour, and whether it moves with the page or with the window. The colour of a block
// is its own, so that it is found in any picture, and its area and its place are counted in pixels.
import type { Page } from "puppeteer-core";
import type { GeneratedBlock, GeneratedPage, Rgb } from "../../../../test/fixtures/generated-page.ts";
import { readGeometry } from "./page-geometry.ts";
import { cropPicture, type DecodedPicture, decodePicture, intersects, type Rect } from "./tiles.ts";
import type { PlainVisit } from "./visit.ts";

export type BlockFault =
  | "missing" // less than half of it is anywhere
  | "cut" // a part of it is missing
  | "elsewhere" // it is there, but not at its place
  | "twice" // it is at its place, and somewhere else as well
  | "unclipped" // more of it is there than a visitor ever sees
  | "unseen" // no visitor sees it
  | "without its text"
  | "another size" // of the whole page
  | "something else"; // neither a block nor the background

export interface Fault {
  readonly fault: BlockFault;
  readonly block?: GeneratedBlock;
  /** One sentence with the numbers. */
  readonly detail: string;
  /** Where the block or the picture should have been, in CSS pixels of the full page. */
  readonly place?: Rect;
}

/** Pixels around a block's place that count as its own: edges are smoothed, and positions are rounded. */
const MARGIN = 3;
/** Pixels of a colour that may be there by chance, as where text is smoothed. */
const STRAY_PIXELS = 60;
/** Channels may differ by this, as after a filter. */
const TOLERANCE = 2;
/** Shares of a block's pixels. */
const MIN_COMPLETE = 0.9;
const MIN_PRESENT = 0.5;
const MAX_ELSEWHERE = 0.1;
/** Share of the page's pixels that may be neither block nor background. */
const MAX_ELSE = 0.002;
/** Pixels by which the page's size may differ. */
const SIZE_TOLERANCE = 4;

/** Where blocks that may stick are while they don't, in CSS pixels of the page. */
export type StickyPlaces = ReadonlyMap<number, Rect>;

/** What a visitor sees of a block: in how many pixels, and where these are in the full page. */
interface Sight {
  readonly pixels: number;
  readonly ink: number;
  /** More than one for a block that sticks to the window from the start: where the first window shows it, and where it would be otherwise. */
  readonly rects: readonly [Rect, ...Rect[]];
}

/** All faults of a full page at scale 1; none for a right one. */
export async function checkBlocks(
  fullPage: Buffer,
  page: GeneratedPage,
  visit: PlainVisit,
  stickyPlaces: StickyPlaces,
): Promise<Fault[]> {
  const whole = await decodePicture(fullPage);
  // What hangs out of the page at the side is scrolled to sideways, which this visitor doesn't.
  const full = cropPicture(whole, { left: 0, top: 0, width: visit.window.width, height: whole.height });
  const colours = indexColours(page);
  const sights = await seeBlocks(page, visit, colours, stickyPlaces);
  const found = findBlocks(full, colours, page.blocks.length);
  const pinned = page.blocks
    .filter(({ anchor, isSticky }) => anchor !== "page" || isSticky)
    .flatMap(({ id }) => sights[id]?.rects ?? []);
  const faults = page.blocks.flatMap((block) => {
    const sight = sights[block.id];
    const total = found[block.id]?.pixels ?? 0;
    if (!sight) {
      const detail = `${total} pixels of it are there, but no visitor sees it`;
      return total > STRAY_PIXELS ? [{ fault: "unseen" as const, block, detail }] : [];
    }
    const searched = { full, colours, total, pinned };
    const each = sight.rects.map((place) => checkBlock(block, sight, place, searched));
    return each.find((faults) => faults.length === 0) ?? each[0] ?? [];
  });
  return [...faults, ...checkSize(whole, visit), ...checkRest(full, page, colours, sights)];
}

interface Searched {
  readonly full: DecodedPicture;
  readonly colours: Uint8Array;
  /** Pixels of the block in the whole page. */
  readonly total: number;
  /** Rectangles of blocks that are fixed to the window or may stick to it: they cover others. */
  readonly pinned: readonly Rect[];
}

function checkBlock(block: GeneratedBlock, sight: Sight, place: Rect, searched: Searched): Fault[] {
  const { full, colours, total, pinned } = searched;
  const own = grown(place, MARGIN + block.travel, MARGIN);
  const { pixels, ink } = countIn(full, own, colours, block.id);
  const isPinned = block.anchor !== "page" || block.isSticky;
  const covered = isPinned ? 0 : pinned.reduce((sum, rect) => sum + overlap(rect, place), 0);
  const expected = sight.pixels - covered;
  // What a sticky box covers in every window, from the first one on, is uncovered in a full page, where that box is at its own place.
  const isUncovered = !isPinned && total - pixels > STRAY_PIXELS;
  const elsewhere = isUncovered ? countOutside(full, [own, ...pinned], colours, block.id) : total - pixels;
  const numbers = `${pixels} of ${expected} pixels are at its place, ${elsewhere} elsewhere`;
  const fault = ((): BlockFault | undefined => {
    if (expected > STRAY_PIXELS && pixels < MIN_COMPLETE * expected) {
      if (total >= MIN_COMPLETE * expected) return "elsewhere";
      return total < MIN_PRESENT * expected ? "missing" : "cut";
    }
    if (elsewhere > STRAY_PIXELS + MIN_PRESENT * sight.pixels) return "twice";
    return elsewhere > STRAY_PIXELS + MAX_ELSEWHERE * sight.pixels ? "unclipped" : undefined;
  })();
  if (fault) return [{ fault, block, detail: numbers, place }];
  if (covered > 0 || sight.ink <= STRAY_PIXELS || ink >= MIN_PRESENT * sight.ink) return [];
  return [{ fault: "without its text", block, detail: `${ink} of ${sight.ink} pixels of its text are there`, place }];
}

function checkSize({ width, height }: DecodedPicture, { geometry, window }: PlainVisit): Fault[] {
  const { viewport, scrollWidth, scrollHeight } = geometry;
  const expectedHeight = window.height - viewport.height + scrollHeight;
  const maxWidth = window.width - viewport.width + scrollWidth;
  const isRight =
    width >= window.width && width <= maxWidth + SIZE_TOLERANCE && Math.abs(height - expectedHeight) <= SIZE_TOLERANCE;
  if (isRight) return [];
  return [{ fault: "another size", detail: `${width} × ${height} instead of ${maxWidth} × ${expectedHeight}` }];
}

/** What is neither the background nor at the place of a block that a visitor sees. */
function checkRest(
  full: DecodedPicture,
  { background, blocks }: GeneratedPage,
  colours: Uint8Array,
  sights: Sights,
): Fault[] {
  const taken = new Uint8Array(full.width * full.height);
  for (const block of blocks) {
    const sight = sights[block.id];
    for (const place of sight?.rects ?? []) fill(taken, full, grown(place, MARGIN + block.travel, MARGIN));
  }
  let [count, first] = [0, -1];
  for (let at = 0; at < taken.length; at++) {
    if (taken[at] === 1 || isColour(full.pixels, at * 3, background)) continue;
    // A block that is elsewhere is reported as such.
    if (colours[colourAt(full.pixels, at * 3)] !== 0) continue;
    count++;
    if (first < 0) first = at;
  }
  if (count <= MAX_ELSE * taken.length) return [];
  const where = `first at ${first % full.width}, ${Math.floor(first / full.width)}`;
  return [{ fault: "something else", detail: `${count} pixels are neither a block nor the background, ${where}` }];
}

type Sights = readonly (Sight | undefined)[];

/** What a visitor sees of each block: at the stop that shows most of it; undefined for what no stop shows. */
async function seeBlocks(
  { blocks }: GeneratedPage,
  { stops, geometry, window }: PlainVisit,
  colours: Uint8Array,
  stickyPlaces: StickyPlaces,
): Promise<Sights> {
  const { viewport, scrollHeight } = geometry;
  const fullHeight = window.height - viewport.height + scrollHeight;
  const shown = await Promise.all(stops.map(async (stop) => ({ ...stop, picture: await decodePicture(stop.image) })));
  const found = shown.map(({ picture }) => findBlocks(picture, colours, blocks.length));
  return blocks.map(({ id, anchor, isSticky, pane }) => {
    // What is fixed stands where the first or the last window shows it.
    const candidates = anchor === "window-top" ? [0] : anchor === "window-bottom" ? [stops.length - 1] : stops.keys();
    const best = [...candidates].reduce((one, other) =>
      (found[other]?.[id]?.pixels ?? 0) > (found[one]?.[id]?.pixels ?? 0) ? other : one,
    );
    const [stop, area] = [shown[best], found[best]?.[id]];
    if (!stop || !area || area.pixels <= STRAY_PIXELS) return undefined;
    const offset = {
      page: stop.paneTops[pane ?? -1] ?? stop.scrollTop,
      "window-top": 0,
      "window-bottom": fullHeight - window.height,
    }[anchor];
    const seen = { ...area.box, top: area.box.top + offset };
    const { ink } = countIn(stop.picture, area.box, colours, id);
    const atStart = found[0]?.[id];
    const whereItWouldBe = isSticky ? stickyPlaces.get(id) : undefined;
    if (!whereItWouldBe) return { pixels: area.pixels, ink, rects: [seen] };
    const isSeenAtStart = atStart !== undefined && atStart.pixels >= MIN_COMPLETE * area.pixels;
    return { pixels: area.pixels, ink, rects: [whereItWouldBe, ...(isSeenAtStart ? [atStart.box] : [])] };
  });
}

interface Area {
  readonly pixels: number;
  readonly box: Rect;
}

/** The pixels of each block's colour in a picture, and the box around them; undefined for a block that isn't there. */
function findBlocks(
  { pixels, width, height }: DecodedPicture,
  colours: Uint8Array,
  count: number,
): (Area | undefined)[] {
  const counts = new Int32Array(count);
  const bounds = Array.from({ length: count }, () => ({ left: width, top: height, right: -1, bottom: -1 }));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const index = colours[colourAt(pixels, at)] ?? 0;
      if (index === 0) continue;
      counts[index - 1] = (counts[index - 1] ?? 0) + 1;
      const box = bounds[index - 1];
      if (!box) continue;
      if (x < box.left) box.left = x;
      if (x > box.right) box.right = x;
      if (y < box.top) box.top = y;
      box.bottom = y;
    }
  }
  return bounds.map(({ left, top, right, bottom }, index) => {
    const pixels = counts[index] ?? 0;
    return pixels === 0 ? undefined : { pixels, box: { left, top, width: right + 1 - left, height: bottom + 1 - top } };
  });
}

/** The pixels of a block's colour in a part of a picture, and those of its text, which is black on it. */
function countIn({ pixels, width, height }: DecodedPicture, part: Rect, colours: Uint8Array, id: number) {
  let [own, ink] = [0, 0];
  const [right, bottom] = [Math.min(width, part.left + part.width), Math.min(height, part.top + part.height)];
  for (let y = Math.max(0, part.top); y < bottom; y++) {
    for (let x = Math.max(0, part.left); x < right; x++) {
      const at = (y * width + x) * 3;
      if (colours[colourAt(pixels, at)] === id + 1) own++;
      else if ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0) < MAX_INK) ink++;
    }
  }
  return { pixels: own, ink };
}

/** The pixels of a block's colour outside of all the parts of a picture. */
function countOutside(
  { pixels, width }: DecodedPicture,
  parts: readonly Rect[],
  colours: Uint8Array,
  id: number,
): number {
  let count = 0;
  for (let at = 0, pixel = 0; at < pixels.length; at += 3, pixel++) {
    if (colours[colourAt(pixels, at)] !== id + 1) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isInside = ({ left, top, ...size }: Rect) =>
      x >= left && x < left + size.width && y >= top && y < top + size.height;
    if (!parts.some(isInside)) count++;
  }
  return count;
}

/** Sum of the channels below which a pixel is text: darker than every block. */
const MAX_INK = 150;

/** For each colour of 24 bits, the number of its block plus one; 0 for other colours. */
function indexColours({ blocks }: GeneratedPage): Uint8Array {
  const index = new Uint8Array(2 ** 24);
  const near = Array.from({ length: 2 * TOLERANCE + 1 }, (_, at) => at - TOLERANCE);
  for (const { id, colour } of blocks) {
    const [red, green, blue] = colour;
    for (const r of near) {
      for (const g of near) {
        for (const b of near) index[((red + r) << 16) | ((green + g) << 8) | (blue + b)] = id + 1;
      }
    }
  }
  return index;
}

const colourAt = (pixels: Buffer, at: number) =>
  ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);

const isColour = (pixels: Buffer, at: number, colour: Rgb) =>
  colour.every((value, channel) => Math.abs(value - (pixels[at + channel] ?? 0)) <= TOLERANCE);

const grown = ({ left, top, width, height }: Rect, across: number, down: number): Rect => ({
  left: Math.floor(left) - across,
  top: Math.floor(top) - down,
  width: Math.ceil(width) + 2 * across,
  height: Math.ceil(height) + 2 * down,
});

function fill(taken: Uint8Array, { width, height }: DecodedPicture, { left, top, ...size }: Rect): void {
  for (let y = Math.max(0, top); y < Math.min(height, top + size.height); y++) {
    taken.fill(1, y * width + Math.max(0, left), y * width + Math.min(width, left + size.width));
  }
}

function overlap(one: Rect, other: Rect): number {
  if (!intersects(one, other)) return 0;
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  return across * (Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top));
}

/**
 * Reads where the blocks that may stick are while they don't, wherever they are: also in frames and closed shadow roots.
 * Changes the page, so it is called when a visit is over.
 */
export async function readStickyPlaces(page: Page, { blocks }: GeneratedPage): Promise<StickyPlaces> {
  await page.evaluate(readGeometry, 0);
  const cdp = await page.createCDPSession();
  await cdp.send("DOM.enable");
  const { nodes } = await cdp.send("DOM.getFlattenedDocument", { depth: -1, pierce: true });
  const attribute = (attributes: readonly string[] = [], name: string) => {
    const at = attributes.findIndex((value, index) => index % 2 === 0 && value === name);
    return at < 0 ? undefined : attributes[at + 1];
  };
  const call = async (nodeId: number, functionDeclaration: string) => {
    const { object } = await cdp.send("DOM.resolveNode", { nodeId });
    await cdp.send("Runtime.callFunctionOn", { objectId: object.objectId ?? "", functionDeclaration });
  };
  const isSticky = (id: string | undefined) => id !== undefined && blocks[Number(id)]?.isSticky === true;
  const sticky = nodes.filter(({ attributes }) => isSticky(attribute(attributes, "data-block")));
  for (const { nodeId, attributes } of nodes) {
    if (attribute(attributes, "data-reveal") !== undefined) await call(nodeId, REVEAL);
  }
  for (const { nodeId } of sticky) await call(nodeId, "function () { this.style.position = 'static' }");
  const rects = sticky.map(async ({ nodeId, attributes }): Promise<[number, Rect]> => {
    const { border } = (await cdp.send("DOM.getBoxModel", { nodeId })).model;
    const [left = 0, top = 0, , , right = 0, bottom = 0] = border;
    return [Number(attribute(attributes, "data-block")), { left, top, width: right - left, height: bottom - top }];
  });
  return new Map(await Promise.all(rects));
}

const REVEAL = `function () {
  this.classList.remove(this.dataset.hidden);
  this.dataset.hidden = "shown";
  this.firstElementChild.style.transition = "none";
}`;
