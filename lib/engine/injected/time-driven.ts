/// <reference lib="dom" />
// Tells what follows the time, as animations of libraries do, from what moves by a step in each frame: it stands still in two
// frames at the same time.
import { movingElements } from "./dom/moving-elements.ts";

/** Elements that are compared at a time. */
const MAX_COMPARED = 100;

/** Pixels of a canvas that is compared. */
const MAX_PIXELS = 2_000_000;

/** Of two frames at one time, numbers differ by less than that share of what they differ by in frames 17 ms apart. */
const SMALL_SHARE = 0.1;

/** The same for the components of a pixel, from 0 to 255. */
const SMALL_DIFFERENCE = 2;

const NUMBER = /-?\d+\.?\d*(?:e-?\d+)?/g;

/** The pixels of a canvas, or the attributes of an element. */
type State = Uint8ClampedArray | string;

const known = new WeakMap<Element, boolean>();
let states: ReadonlyMap<Element, State>[] = [];

/** True when the callbacks of a frame have run since the second state: Chromium may leave a frame without them. */
let hasRunFrame = false;

/** True for an element that follows the time, false for one that moves by frames, undefined where that is not known. */
export function followsTime(element: Element): boolean | undefined {
  return known.get(element);
}

/**
 * Notes the state of all that moves and may come to rest. To be called first, a frame later, and after each of some more frames at the
 * same time, until it returns true: then it has found what follows the time.
 */
export function compareStates(): boolean {
  if (states.length === 2 && !hasRunFrame) return false;
  const elements = [...movingElements().moving.keys()].filter((element) => !known.has(element)).slice(0, MAX_COMPARED);
  states.push(new Map(elements.map((element) => [element, stateOf(element)])));
  const [first, second, third] = states;
  hasRunFrame = false;
  // Requested after the callbacks of the page, which have run in the same frame then.
  if (!third) requestAnimationFrame(() => (hasRunFrame = true));
  if (!first || !second || !third) return false;
  states = [];
  for (const element of elements) {
    const [before, after, again] = [first.get(element), second.get(element), third.get(element)];
    if (before === undefined || after === undefined || again === undefined) continue;
    const stepped = difference(before, after);
    if (stepped > 0) known.set(element, difference(after, again) <= smallest(after, stepped));
  }
  return true;
}

function stateOf(element: Element): State {
  if (element instanceof HTMLCanvasElement) return pixelsOf(element);
  return Array.from(element.attributes, ({ value }) => value).join("|");
}

/** All pixels: in a smaller picture, one step could change none. Empty for a canvas that cannot be read, or is too large. */
function pixelsOf(canvas: HTMLCanvasElement): State {
  const { width, height } = canvas;
  if (width * height > MAX_PIXELS) return "";
  try {
    const context2d = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context2d?.drawImage(canvas, 0, 0);
    return context2d?.getImageData(0, 0, width, height).data ?? "";
  } catch {
    return "";
  }
}

function smallest(state: State, stepped: number): number {
  return typeof state === "string" ? SMALL_SHARE * stepped : SMALL_DIFFERENCE;
}

/** The largest difference of two numbers in the same place; infinite where the rest is another one. */
function difference(one: State, other: State): number {
  if (typeof one === "string" && typeof other === "string") {
    if (one === other) return 0;
    if (one.replace(NUMBER, "") !== other.replace(NUMBER, "")) return Number.POSITIVE_INFINITY;
    return largestDifference(one.match(NUMBER) ?? [], other.match(NUMBER) ?? []);
  }
  return typeof one === "string" || typeof other === "string"
    ? Number.POSITIVE_INFINITY
    : largestDifference(one, other);
}

function largestDifference(one: ArrayLike<string | number>, other: ArrayLike<string | number>): number {
  let largest = 0;
  for (let index = 0; index < one.length; index++)
    largest = Math.max(largest, Math.abs(Number(one[index]) - Number(other[index])));
  return largest;
}
