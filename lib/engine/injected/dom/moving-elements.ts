/// <reference lib="dom" />
// What moves in the page, as `readMovement` has found. The scripts of an isolated world share it.

/** A time without a pause in which something moves, in milliseconds of the page's clock. */
export interface Motion {
  readonly since: number;
  readonly until: number;
  /** At how many looks it moved. */
  readonly looks: number;
}

export interface MovingElements {
  /** Elements that scripts move, and canvases, that may come to rest. */
  readonly moving: Map<Element, Motion>;
  /** Those that move forever. */
  readonly endless: Set<Element>;
  /** Those with an animation that has no end, at the last look. */
  animated: ReadonlySet<Element>;
  /** When all had last come to rest, as is known otherwise than by a look. */
  restedAt: number;
}

const KEY = Symbol.for("moving elements");

/** What was found so far in this document. */
export function movingElements(): MovingElements {
  const scope = globalThis as { [KEY]?: MovingElements };
  scope[KEY] ??= { moving: new Map(), endless: new Set(), animated: new Set(), restedAt: 0 };
  return scope[KEY];
}

/** Notes that all has come to rest: what each scroll moves again does not move forever. */
export function endMotions(): void {
  const found = movingElements();
  found.moving.clear();
  found.restedAt = Math.round(performance.now());
}

/** Notes that the page is scrolled at `now`, by `performance.now()`: what moves from then on has not moved before. */
export function startMotions(now: number): void {
  movingElements().restedAt = now;
}
