/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Holds endless animations, such as tickers and pulsing buttons, at a moment at which a visitor sees what they move.

/** How many moments of the longest iteration are compared, and how many animated boxes are looked at. */
const MOMENTS = 12;
const MAX_BOXES = 60;

/** Longest time, in milliseconds, by which the animations are moved on. */
const MAX_SHIFT_MS = 20_000;

/**
 * Milliseconds. The first animation of those that are held stands at a multiple of it, so that captures of the same page agree
 * although they do not begin at the same millisecond.
 */
const GRID_MS = 500;

/** An element counts as shown at a moment at which so much of it can be seen, as a share of its best moment. */
const SHOWN = 0.5;

/**
 * Pauses endless animations where they are, to the next half second. Where that hides elements which they show at other
 * times, as the beginning of a ticker does, all of them are moved on by the same time, as if the visitor had waited.
 */
export function holdEndless(animations: readonly Animation[]): void {
  const held = animations.filter(({ playState }) => playState === "running");
  if (held.length === 0) return;
  const times = held.map((animation) => Number(animation.currentTime ?? 0));
  const moveBy = (ms: number) => {
    for (const [index, animation] of held.entries()) {
      // It reaches the end or the beginning of its time when it runs backwards.
      const direction = Math.sign(animation.playbackRate) || 1;
      animation.currentTime = (times[index] ?? 0) + direction * ms;
    }
  };
  const earliest = Math.min(...times);
  const toGrid = Math.ceil(earliest / GRID_MS) * GRID_MS - earliest;
  const boxes = held.map(animatedBox).filter((box) => box !== undefined);
  for (const animation of held) animation.pause();
  const longestMs = Math.min(MAX_SHIFT_MS, Math.max(...held.map(periodMs)));
  const shifts = Array.from({ length: MOMENTS }, (_, moment) => toGrid + (moment * longestMs) / MOMENTS);
  const moments = shifts.map((shift) => {
    moveBy(shift);
    return boxes.slice(0, MAX_BOXES).map(readLook);
  });
  moveBy(chooseShift(shifts, moments));
}

/** What of an animated box can be seen at a moment. */
interface Look {
  readonly box: Box;
  /** The area of its content that nothing clips, in square pixels, times its opacity. */
  readonly amount: number;
  readonly opacity: number;
  readonly visible: Edges;
}

/** The first of `shifts` at which most elements are shown. Those that take turns at one place count as one, as sharp as it is. */
function chooseShift(shifts: readonly number[], moments: readonly (readonly Look[])[]): number {
  const most = moments[0]?.map((_, at) => Math.max(...moments.map((looks) => looks[at]?.amount ?? 0))) ?? [];
  const isShown = ({ amount }: Look, at: number) => amount > 0 && amount >= SHOWN * (most[at] ?? 0);
  const turns = takingTurns(moments);
  const scores = moments.map((looks) => {
    const alone = looks.filter((look, at) => !turns.some((group) => group.has(at)) && isShown(look, at));
    const sharp = turns.map((group) => sharpness([...group].flatMap((at) => looks[at] ?? [])));
    return sharp.reduce((sum, each) => sum + each, alone.length);
  });
  return shifts[scores.indexOf(Math.max(...scores))] ?? 0;
}

/** Groups of boxes, by their numbers, that are children of one element and cover each other, such as words that rotate. */
function takingTurns(moments: readonly (readonly Look[])[]): Set<number>[] {
  const groups = new Map<Element, Set<number>>();
  for (const looks of moments) {
    for (const [at, one] of looks.entries()) {
      const parent = one.box.pseudo === null ? one.box.element.parentElement : null;
      const isCovered = ({ box, visible }: Look) =>
        box.element !== one.box.element && box.element.parentElement === parent && covers(visible, one.visible) > 0.5;
      if (!parent || !looks.some(isCovered)) continue;
      groups.set(parent, (groups.get(parent) ?? new Set()).add(at));
    }
  }
  return [...groups.values()];
}

/** From 0 to 1: how much of one box can be seen without others over it. */
function sharpness(looks: readonly Look[]): number {
  const clear = looks.map((look) => {
    const others = looks.filter((other) => other !== look);
    return (
      look.opacity - others.reduce((sum, { visible, opacity }) => sum + opacity * covers(visible, look.visible), 0)
    );
  });
  return Math.max(0, ...clear);
}

/** The share of `of` that a box covers. */
function covers(box: Edges, of: Edges): number {
  const width = Math.min(box.right, of.right) - Math.max(box.left, of.left);
  const height = Math.min(box.bottom, of.bottom) - Math.max(box.top, of.top);
  return (Math.max(0, width) * Math.max(0, height)) / Math.max(1, areaOf(of));
}

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function areaOf({ left, right, top, bottom }: Edges): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** An element, or a pseudo-element of it. */
interface Box {
  readonly element: Element;
  readonly pseudo: string | null;
}

function animatedBox({ effect }: Animation): Box | undefined {
  if (!(effect instanceof KeyframeEffect) || effect.target === null) return undefined;
  return { element: effect.target, pseudo: effect.pseudoElement };
}

/** Milliseconds after which an animation repeats itself. */
function periodMs({ effect }: Animation): number {
  const { duration, direction = "normal" } = effect?.getComputedTiming() ?? {};
  const iterationMs = Number(duration);
  if (!Number.isFinite(iterationMs)) return 0;
  return direction.startsWith("alternate") ? 2 * iterationMs : iterationMs;
}

function readLook(box: Box): Look {
  const { element, pseudo } = box;
  const style = getComputedStyle(element, pseudo);
  const opacity = style.visibility === "visible" ? Number(style.opacity) : 0;
  let { left, right, top, bottom } = contentBox(element);
  const clipTo = (edges: Edges) => {
    [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
    [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
  };
  const page = document.documentElement;
  clipTo({ left: 0, right: page.clientWidth, top: -window.scrollY, bottom: page.scrollHeight - window.scrollY });
  for (let each: Element | null = element; each && each !== page; each = each.parentElement) {
    if (each !== document.body && getComputedStyle(each).overflow !== "visible") clipTo(each.getBoundingClientRect());
  }
  const visible = { left, right, top, bottom };
  return { box, amount: areaOf(visible) * opacity, opacity, visible };
}

/** The box of what an element contains, without its padding; its own box when it contains nothing. */
function contentBox(element: Element): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(element);
  const content = range.getBoundingClientRect();
  return content.width > 0 && content.height > 0 ? content : element.getBoundingClientRect();
}
