// Lists the elements of a page that can be read and acted on, with their roles and names, frames of any origin included.

import * as v from "valibot";
import { withoutCredentials } from "../../errors/target-report.ts";
import type { ElementPosition } from "../../full-page/map-boxes.ts";
import { type Area, intersect } from "../../geometry/area.ts";
import type * as accessibility from "../../injected/accessibility/read-elements.ts";
import type { ElementsRead, Landmark, ReadElement, ReadFrame } from "../../injected/accessibility/read-elements.ts";
import type { ElementStates } from "../../injected/accessibility/states.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { waitForElements } from "../../page/elements.ts";
import {
  callIsolatedForFrames,
  evaluateInFrame,
  evaluateInIsolatedWorld,
  type FramePage,
} from "../../page/isolated-world.ts";
import { whileThere } from "../../page/page-frames.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { areaSchema } from "../../page/result-schemas.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";

/** Which elements are listed. */
export interface ElementsRequest {
  /** `interactive`: what can be acted on. `all`: also what can only be read. */
  readonly scope: "interactive" | "all";
  /** CSS selector of the element in which they are; undefined for all of the page. */
  readonly root: string | undefined;
  readonly max: number;
}

export interface PageElement {
  /** `e1`, `e2`, … in reading order. */
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value: string | null;
  readonly states: ElementStates;
  readonly level: number | null;
  /** In CSS pixels from the top left corner of the page. */
  readonly box: Area;
  /** True when a part of it is in the window, and not cut off. */
  readonly in_view: boolean;
  /** The address of the frame that it is in; null in the page itself. */
  readonly frame: string | null;
  /** Matches this element only, in its frame; null where no selector does. */
  readonly selector: string | null;
  readonly href: string | null;
}

export type PageHeading = Pick<PageElement, "level" | "name" | "box" | "frame" | "selector">;
export type PageLandmark = Pick<PageElement, "role" | "name" | "box" | "frame" | "selector">;

export interface PageElements {
  /** The size of the page in CSS pixels. */
  readonly page: { readonly width: number; readonly height: number };
  /** True when there are more elements than are listed. */
  readonly truncated: boolean;
  readonly elements: readonly PageElement[];
  readonly headings: readonly PageHeading[];
  readonly landmarks: readonly PageLandmark[];
}

/** Frames that are read in all, and in how many others a frame can be. */
const MAX_FRAMES = 50;
const MAX_FRAME_DEPTH = 5;

const MAX_HEADINGS = 300;
const MAX_LANDMARKS = 100;

/** Longest wait for one frame: its page may be busy. */
const FRAME_MS = 2_000;

/**
 * Lists the elements of the page in its current state. Adds a warning for a frame that doesn't answer. Throws `SELECTOR_NOT_FOUND` for
 * a root that isn't on the page.
 */
export async function readPageElements(page: CapturedPage, request: ElementsRequest): Promise<PageElements> {
  return (await locatePageElements(page, request, { isMarked: false })).list;
}

/** An element, and the part of it that is not cut off by elements around it, in CSS pixels of the page. */
export interface LocatedElement {
  readonly element: PageElement;
  readonly shown: Area | null;
  /** Where its text is. */
  readonly text: Area | null;
  /** True for an element in the window that others cover. */
  readonly isCovered: boolean;
  /** True for an element that only groups others. */
  readonly isGroup: boolean;
}

/** The elements of a page, and where they and its texts are. */
export interface LocatedElements {
  readonly list: PageElements;
  readonly located: readonly LocatedElement[];
  /** Where texts are, in CSS pixels of the page. */
  readonly texts: readonly Area[];
}

/** Where a stitched picture shows elements. */
export interface StitchedPlaces {
  readonly toPicture: (box: Area, position: ElementPosition) => Area;
  /** The height of the picture, in CSS pixels of the page. */
  readonly height: number;
  /** The frame that scrolls in place of the page; the picture shows all of it. */
  readonly paneFrame: string | undefined;
}

interface Locating {
  /** True where the picture is to be marked. */
  readonly isMarked: boolean;
  /** Undefined where elements are listed where the page has them. */
  readonly inPicture?: StitchedPlaces | undefined;
}

/** Like `readPageElements`, with what is seen of each element. */
export async function locatePageElements(
  page: CapturedPage,
  { scope, root, max }: ElementsRequest,
  { isMarked, inPicture }: Locating,
): Promise<LocatedElements> {
  if (root !== undefined) await waitForElements(page, { option: "elements_root", selectors: [root] });
  const arePanesWhole = inPicture !== undefined;
  const reading = { scope, root: root ?? null, maxElements: max, maxFrames: MAX_FRAMES, isMarked, arePanesWhole };
  const read = parseRead(await evaluateInIsolatedWorld(page, readElementsInPage, reading));
  const { x, y, width, height } = read.window;
  const place: Place = {
    origin: { x, y },
    scale: 1,
    clip: { x, y, width, height },
    window: { x, y, width, height },
    address: null,
    frameId: undefined,
    depth: 0,
    position: {},
  };
  const gathered: Gathered = {
    elements: [],
    headings: [],
    landmarks: [],
    texts: [],
    isCut: false,
    frames: 0,
    silent: 0,
    inPicture,
  };
  await gather(page, reading, read, place, gathered);
  if (gathered.silent > 0)
    page.warnings.push(`${gathered.silent} frames of the page didn't answer; their elements are not listed.`);
  const located = gathered.elements.slice(0, max).map(({ element, ...seen }, index) => ({
    element: { ref: `e${index + 1}`, ...element },
    ...seen,
  }));
  return {
    located,
    texts: gathered.texts,
    list: {
      page: { ...read.page, height: Math.max(read.page.height, Math.round(inPicture?.height ?? 0)) },
      truncated: gathered.isCut || gathered.elements.length > max,
      elements: located.map(({ element }) => element),
      headings: gathered.headings.slice(0, MAX_HEADINGS),
      landmarks: gathered.landmarks.slice(0, MAX_LANDMARKS),
    },
  };
}

/** Where a document is in the page: its window, in CSS pixels of the page. */
interface Place {
  readonly origin: { readonly x: number; readonly y: number };
  /** Pixels of the page per pixel of the document. */
  readonly scale: number;
  /** What is seen of the document while the page is scrolled where it is; null where nothing is. */
  readonly clip: Area | null;
  /** What the elements around its frame show of it. */
  readonly window: Area | null;
  readonly address: string | null;
  readonly frameId: string | undefined;
  readonly depth: number;
  /** That of the outermost frame it is in. */
  readonly position: ElementPosition;
}

interface Gathered {
  readonly elements: (Omit<LocatedElement, "element"> & { readonly element: Omit<PageElement, "ref"> })[];
  readonly headings: PageHeading[];
  readonly landmarks: PageLandmark[];
  readonly texts: Area[];
  isCut: boolean;
  frames: number;
  /** Frames that didn't answer. */
  silent: number;
  readonly inPicture: StitchedPlaces | undefined;
}

type Reading = Parameters<typeof accessibility.readElements>[0];

/** Adds what was read of a document, and reads the frames in it, each at its place. */
async function gather(
  page: CapturedPage,
  reading: Reading,
  read: ElementsRead,
  place: Place,
  gathered: Gathered,
): Promise<void> {
  gathered.isCut ||= read.isCut;
  for (const box of read.texts) gathered.texts.push(toPicture(toPage(box, place), {}, place, gathered));
  for (const { level = null, ...heading } of read.headings) {
    const { name, box, selector } = heading;
    const placed = toPicture(toPage(box, place), heading, place, gathered);
    gathered.headings.push({ level, name, box: placed, frame: place.address, selector });
  }
  for (const { role, name, box, selector, ...position } of read.landmarks) {
    const placed = toPicture(toPage(box, place), position, place, gathered);
    gathered.landmarks.push({ role, name, box: placed, frame: place.address, selector });
  }
  const frames = await locateFrames(page, read, place, gathered);
  let next = 0;
  for (const { frame, frameId } of frames) {
    for (; next < frame.after; next++) addElement(read.elements[next], place, gathered);
    if (gathered.elements.length >= reading.maxElements) break;
    const inner = {
      session: page.session,
      ...(page.frameScheduler && { frameScheduler: page.frameScheduler }),
      frameId,
    };
    const content = await readFrame(page, inner, { ...reading, root: null });
    if (!content) {
      gathered.silent++;
      continue;
    }
    await gather(page, reading, content, placeInFrame(frame, frameId, content, place, gathered), gathered);
  }
  for (; next < read.elements.length; next++) addElement(read.elements[next], place, gathered);
}

async function readFrame(page: CapturedPage, frame: FramePage, reading: Reading): Promise<ElementsRead | undefined> {
  const work = whileThere(async () => parseRead(await evaluateInFrame(frame, readElementsInPage, reading))).catch(
    () => undefined,
  );
  return withTimeout(work, softAllowance(page.budget, page.now(), FRAME_MS));
}

/** The frames of a document, with their ids in the DevTools protocol, as many as may be read. */
async function locateFrames(
  { session }: CapturedPage,
  { frames }: ElementsRead,
  { frameId, depth }: Place,
  gathered: Gathered,
): Promise<{ readonly frame: ReadFrame; readonly frameId: string }[]> {
  if (frames.length === 0) return [];
  if (depth === MAX_FRAME_DEPTH || gathered.frames >= MAX_FRAMES) {
    gathered.isCut = true;
    return [];
  }
  const ids = await whileThere(() => callIsolatedForFrames(session.cdp, readFrameElementsInPage, frameId));
  const found = frames.flatMap((frame, index) => {
    const id = ids?.[index];
    return id === undefined ? [] : { frame, frameId: id };
  });
  const left = MAX_FRAMES - gathered.frames;
  if (found.length > left) gathered.isCut = true;
  gathered.frames += Math.min(found.length, left);
  return found.slice(0, left);
}

function placeInFrame(
  frame: ReadFrame,
  frameId: string,
  { url, page }: ElementsRead,
  outer: Place,
  { inPicture }: Gathered,
): Place {
  const content = toPage(frame.content, outer, { isExact: true });
  const isPane = frameId === inPicture?.paneFrame;
  const part = isPane ? { ...frame.content, height: frame.scale * page.height } : frame.shown;
  const shown = part && toPage(part, outer, { isExact: true });
  return {
    position: outer.depth > 0 ? outer.position : { ...frame, ...(isPane && { isInPane: true }) },
    origin: { x: content.x, y: content.y },
    scale: outer.scale * frame.scale,
    clip: (shown && outer.clip && intersect(shown, outer.clip)) ?? null,
    window: (shown && (outer.depth === 0 ? shown : outer.window && intersect(shown, outer.window))) ?? null,
    address: withoutCredentials(url),
    frameId,
    depth: outer.depth + 1,
  };
}

function addElement(read: ReadElement | undefined, place: Place, gathered: Gathered): void {
  if (!read) return;
  const { shown = read.box, text, isCovered = false, isGroup = false, box, ...rest } = read;
  const toPictureOf = (area: Area) => toPicture(area, rest, place, gathered);
  const seen = shown && toPage(shown, place);
  // Elements of the page itself can be anywhere in it; those of a frame are seen through the frame.
  const uncut = seen && (place.depth === 0 ? seen : place.window && intersect(seen, place.window));
  const element = {
    role: rest.role,
    name: rest.name,
    value: rest.value ?? null,
    states: rest.states,
    level: rest.level ?? null,
    box: toPictureOf(toPage(box, place)),
    in_view: Boolean(seen && place.clip && intersect(seen, place.clip)),
    frame: place.address,
    selector: rest.selector,
    href: rest.href === undefined ? null : withoutCredentials(rest.href),
  };
  gathered.elements.push({
    element,
    shown: uncut ? toPictureOf(uncut) : null,
    text: text ? toPictureOf(toPage(text, place)) : null,
    isCovered,
    isGroup,
  });
}

/** Where the picture shows a box in the page that has this position in its document. */
function toPicture(box: Area, position: ElementPosition, place: Place, { inPicture }: Gathered): Area {
  if (!inPicture) return box;
  const { x, y, width, height } = inPicture.toPicture(box, place.depth > 0 ? place.position : position);
  return { x: Math.round(x), y: Math.round(y), width, height };
}

/** A box in a document as one in the page, in whole pixels unless `isExact`. */
function toPage({ x, y, width, height }: Area, { origin, scale }: Place, { isExact = false } = {}): Area {
  const exact = { x: origin.x + scale * x, y: origin.y + scale * y, width: scale * width, height: scale * height };
  if (isExact) return exact;
  return {
    x: Math.round(exact.x),
    y: Math.round(exact.y),
    width: Math.round(exact.width),
    height: Math.round(exact.height),
  };
}

const isSet = v.exactOptional(v.literal(true));
const flag = v.exactOptional(v.boolean());
const tristate = v.exactOptional(v.union([v.boolean(), v.literal("mixed")]));
const shortText = v.pipe(v.string(), v.maxLength(2_000));

const statesSchema: v.GenericSchema<unknown, ElementStates> = v.object({
  checked: tristate,
  selected: flag,
  expanded: flag,
  pressed: tristate,
  disabled: isSet,
  required: isSet,
  readonly: isSet,
  invalid: isSet,
  focused: isSet,
  current: isSet,
  hidden: isSet,
});

const placed = {
  role: shortText,
  name: shortText,
  level: v.exactOptional(v.number()),
  box: areaSchema,
  shown: v.exactOptional(v.nullable(areaSchema)),
  isInPane: isSet,
  isFixed: isSet,
  selector: v.nullable(shortText),
};

const landmarkSchema: v.GenericSchema<unknown, Landmark> = v.object(placed);

const readSchema: v.GenericSchema<unknown, ElementsRead> = v.object({
  url: shortText,
  page: v.object({ width: v.number(), height: v.number() }),
  window: areaSchema,
  elements: v.pipe(
    v.array(
      v.object({
        ...placed,
        value: v.exactOptional(shortText),
        text: v.exactOptional(areaSchema),
        isCovered: isSet,
        isGroup: isSet,
        states: statesSchema,
        href: v.exactOptional(shortText),
      }),
    ),
    v.maxLength(2_000),
  ),
  headings: v.array(landmarkSchema),
  landmarks: v.array(landmarkSchema),
  frames: v.array(
    v.object({
      after: v.number(),
      content: areaSchema,
      shown: v.nullable(areaSchema),
      isInPane: isSet,
      isFixed: isSet,
      scale: v.number(),
    }),
  ),
  texts: v.pipe(v.array(areaSchema), v.maxLength(100_000)),
  isCut: v.boolean(),
});

/** The result of `readElements`. Throws for one that the function does not return: the page may have taken over its process. */
function parseRead(json: string): ElementsRead {
  const parsed = v.safeParse(readSchema, JSON.parse(json), { abortEarly: true });
  if (!parsed.success) throw new Error("The page's process sent an invalid list of elements.");
  return parsed.output;
}

const readElementsInPage: PageFunction<typeof accessibility.readElements> = pageFunction(
  "accessibility",
  "readElements",
  { result: v.string() },
);

const readFrameElementsInPage: PageFunction<typeof accessibility.readFrameElements> = pageFunction(
  "accessibility",
  "readFrameElements",
  { result: "elements" },
);
