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
  const amounts = shifts.map((shift) => {
    moveBy(shift);
    return boxes.slice(0, MAX_BOXES).map(visibleAmount);
  });
  moveBy(chooseShift(shifts, amounts));
}

/** The first of `shifts` at which most elements are shown; `amounts` has how much of each can be seen at each shift. */
function chooseShift(shifts: readonly number[], amounts: readonly (readonly number[])[]): number {
  const most = amounts[0]?.map((_, element) => Math.max(...amounts.map((each) => each[element] ?? 0))) ?? [];
  const shown = amounts.map((each) => each.filter((amount, at) => amount > 0 && amount >= SHOWN * (most[at] ?? 0)));
  const counts = shown.map(({ length }) => length);
  return shifts[counts.indexOf(Math.max(...counts))] ?? 0;
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

/** How much of a box can be seen: the area of its content that nothing clips, in square pixels, times its opacity. */
function visibleAmount({ element, pseudo }: Box): number {
  const { opacity, visibility } = getComputedStyle(element, pseudo);
  if (visibility !== "visible") return 0;
  let { left, right, top, bottom } = contentBox(element);
  const clipTo = (box: { left: number; right: number; top: number; bottom: number }) => {
    [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  };
  const page = document.documentElement;
  clipTo({ left: 0, right: page.clientWidth, top: -window.scrollY, bottom: page.scrollHeight - window.scrollY });
  for (let each: Element | null = element; each && each !== page; each = each.parentElement) {
    if (each !== document.body && getComputedStyle(each).overflow !== "visible") clipTo(each.getBoundingClientRect());
  }
  return Math.max(0, right - left) * Math.max(0, bottom - top) * Number(opacity);
}

/** The box of what an element contains, without its padding; its own box when it contains nothing. */
function contentBox(element: Element): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(element);
  const content = range.getBoundingClientRect();
  return content.width > 0 && content.height > 0 ? content : element.getBoundingClientRect();
}
