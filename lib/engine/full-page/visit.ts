// Visits a page window by window, as a person who scrolls through it: waits at each until nothing moves or is about to, and takes it
// as it is. What is pinned to the window is shown in one window only; what is there but unseen gets a window of its own.
import type { Area } from "../geometry/area.ts";
import { waitForScripts } from "../page/animations.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { scrollToOffsetInPage } from "../page/scrolling.ts";
import { warnOfBoard } from "../page/sideways-board.ts";
import { findSidewaysBoard, listPinnedNodes, revertVisit, scrollPanes, stretchBackdrops } from "./page-functions.ts";
import type { Pane } from "./panes.page.ts";
import type { Pin } from "./pinned.page.ts";
import { findShift, outsideScenes } from "./registration.ts";
import { retakeStrays } from "./retake.ts";
import { type CollapsedScene, collapseScenes } from "./scenes.ts";
import { UnseenContent } from "./unseen.ts";
import type { VisitOptions } from "./visit-options.ts";
import { boxesOfPlaying, heightOf, visitScenes } from "./visit-scenes.ts";
import { CALM_STEP, CAREFUL_STEP, MAX_WINDOWS } from "./visit-steps.ts";
import { VisitTime } from "./visit-time.ts";
import { type Lead, type VisitedPage, type VisitedWindow, VisitWindows } from "./visit-windows.ts";
import { WindowComparison } from "./window-comparison.ts";

export interface Visit {
  /** From top to bottom. */
  readonly windows: readonly VisitedWindow[];
  readonly panes: readonly Pane[];
  /** The nodes that only some windows show because they are in pinned elements. */
  readonly pinnedNodes: ReadonlySet<string>;
  /** Boxes of scenes that are in the picture once although they play, in CSS pixels of the picture. */
  readonly scenes: readonly Area[];
  /** The area of a window, and image pixels for each CSS pixel. */
  readonly area: Area;
  readonly scale: number;
  readonly comparison: WindowComparison;
  readonly lead?: Lead;
  /** The frame that scrolls in place of the page. */
  readonly frameId?: string | undefined;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/** The largest step that a caller can choose, as a share of a window: neighbours have rows in common to be joined at. */
const MAX_CHOSEN_STEP = 0.8;

/** Pinned elements whose content may change in any window. */
const STAYING: ReadonlySet<Pin["kind"]> = new Set(["layer", "scene", "side", "cover"]);

/** The longest wait for the sizes of background images, which are already loaded. */
const BACKDROPS_MS = 500;

export class PageVisit {
  readonly #page: VisitedPage;
  readonly #options: VisitOptions;
  readonly #time: VisitTime;
  readonly #windows: VisitWindows;
  readonly #unseen: UnseenContent;
  readonly #comparison: WindowComparison;

  constructor(page: VisitedPage, options: VisitOptions) {
    [this.#page, this.#options] = [page, options];
    this.#time = new VisitTime(page);
    this.#windows = new VisitWindows(page, options, this.#time);
    this.#unseen = new UnseenContent(page, this.#windows, this.#time);
    this.#comparison = new WindowComparison(this.#windows, page.scale);
  }

  /** Visits the whole page. It is at its top afterwards, with all that was hidden shown. */
  async run(): Promise<Visit> {
    const { documents } = this.#windows;
    if (this.#options.isTransparent) await this.#setBackground({ color: TRANSPARENT });
    await this.#windows.find();
    const board = await evaluateInIsolatedWorld(this.#page, findSidewaysBoard);
    if (board) warnOfBoard(this.#page, board);
    // Counters end at their values before the first window is taken.
    if (this.#options.finishesAnimations) await waitForScripts(this.#page);
    await documents.call(stretchBackdrops, BACKDROPS_MS);
    const lead = await this.#windows.takeLead();
    const scenes = await this.#visitWindowsAndScenes();
    if (!this.#time.isOver) await retakeStrays(this.#windows, this.#time, this.#comparison);
    const pinned = await documents.call(listPinnedNodes);
    const pinnedNodes = new Set(pinned.flatMap((nodes, index) => nodes.map((node) => `${index} ${node}`)));
    await documents.call(scrollPanes, 0, 0);
    await documents.call(revertVisit);
    if (this.#options.isTransparent) await this.#setBackground({});
    if (lead) await evaluateInIsolatedWorld(this.#page, scrollToOffsetInPage, 0);
    const sorted = this.#windows.all.toSorted((one, other) => one.top - other.top || one.offset - other.offset);
    const { windows, removed } = collapseScenes(sorted, scenes);
    return {
      windows,
      pinnedNodes,
      panes: this.#windows.panes.map((pane) => ({ ...pane, maxOffset: pane.maxOffset - removed })),
      scenes: boxesOfPlaying(scenes),
      area: this.#windows.area,
      scale: this.#page.scale,
      comparison: this.#comparison,
      frameId: documents.onlyFrameId,
      ...(lead && { lead }),
    };
  }

  /**
   * Visits the page from its last window on, and each stage of its scenes. What the picture lacks because scenes are in it once, it has at
   * its end. Returns those scenes.
   */
  async #visitWindowsAndScenes(): Promise<CollapsedScene[]> {
    const windows = this.#windows;
    const { hidesPinned, scenes: shown, maxHeight } = this.#options;
    for (;;) {
      await (hidesPinned ? this.#visitWindows() : this.#visitSheets());
      const mayHaveScenes = hidesPinned && !this.#time.isOver;
      const scenes = mayHaveScenes ? await visitScenes(windows, shown, this.#comparison) : [];
      const extended = maxHeight + heightOf(scenes);
      const isAtEnd = extended <= windows.maxHeight || windows.limit < windows.maxHeight - windows.view;
      if (isAtEnd || this.#time.isForWaitsUsedUp || windows.all.length >= MAX_WINDOWS) return scenes;
      windows.maxHeight = extended;
    }
  }

  async #visitWindows(): Promise<void> {
    const windows = this.#windows;
    let before = windows.all.toSorted((one, other) => one.offset - other.offset).at(-1);
    let next = before ? before.offset + this.#step(true) : windows.first;
    while (windows.all.length < MAX_WINDOWS) {
      next = Math.min(next, windows.limit);
      let window = await this.#visitIfClose(next, before);
      if (!window && before) {
        next = Math.min(before.offset + this.#step(true), windows.limit);
        window = await windows.take(next);
      }
      if (!window || this.#mustEndAt(window)) return;
      const hasUnseen = await this.#unseen.visit(window);
      const differs = before !== undefined && (await this.#differs(before, window));
      if (Math.max(window.offset, next) >= windows.limit - 1) return;
      const mayChange = window.hasStickyAhead || window.pins.some(isChanging(windows.view));
      const isCareful = (hasUnseen || differs || mayChange) && !this.#time.isForWaitsUsedUp;
      next = Math.max(next, Math.floor(window.offset)) + this.#step(isCareful);
      before = window;
    }
  }

  /**
   * Visits a window; not where a closer one is better, because content has moved by itself, and the window has nothing in common with the
   * one before, or too little to tell.
   */
  #visitIfClose(offset: number, before: VisitedWindow | undefined): Promise<VisitedWindow | undefined> {
    const windows = this.#windows;
    return windows.takeIf(offset, ({ offset: reached, top }) => {
      if (!before || reached - before.offset <= CAREFUL_STEP * windows.view) return true;
      return windows.isRegistered && top - before.top < windows.view;
    });
  }

  /** True when two windows differ where they overlap. One between them is visited then, unless they are close. */
  async #differs(upper: VisitedWindow, lower: VisitedWindow): Promise<boolean> {
    if (this.#time.isForWaitsUsedUp || (await this.#agree(upper, lower))) return false;
    if (lower.offset - upper.offset > CAREFUL_STEP * this.#windows.view)
      await this.#windows.take(Math.round((upper.offset + lower.offset) / 2));
    return true;
  }

  /** True when two windows agree, be it that all content has moved by itself between them, such as in a list that estimates its height. */
  async #agree(upper: VisitedWindow, lower: VisitedWindow): Promise<boolean> {
    const { panes, view } = this.#windows;
    if (await this.#comparison.agree(upper, lower)) return true;
    const known = lower.top - lower.offset - (upper.top - upper.offset);
    const outside = { offset: lower.offset, items: outsideScenes(lower.items, lower.pins) };
    const moved = panes.length === 1 ? (findShift(upper, outside, view) ?? known) - known : 0;
    const hasMoved = moved !== 0 && (await this.#comparison.agree(upper, lower, moved));
    if (hasMoved) this.#windows.shiftBy(moved, lower);
    return hasMoved;
  }

  /** Visits one whole window below the other, where pinned elements stay in each of them. */
  async #visitSheets(): Promise<void> {
    const windows = this.#windows;
    for (let next = windows.first; windows.all.length < MAX_WINDOWS; next += Math.floor(windows.view)) {
      next = Math.min(next, windows.limit);
      const window = await windows.take(next);
      if (next >= windows.limit - 1 || this.#mustEndAt(window)) return;
    }
  }

  /** CSS pixels to the next window. */
  #step(isCareful: boolean): number {
    const { view } = this.#windows;
    const share = Math.max(1, Math.floor(view * (isCareful ? CAREFUL_STEP : CALM_STEP)));
    const { by } = this.#options;
    if (by === undefined || isCareful) return Math.min(share, by ?? share);
    return Math.max(1, Math.min(by, Math.floor(view * MAX_CHOSEN_STEP)));
  }

  /** True when there is no time for further windows. Warns of that, and once that they are no longer waited for. */
  #mustEndAt({ offset }: VisitedWindow): boolean {
    if (offset >= this.#windows.limit - 1) return false;
    const end = Math.round(offset + this.#windows.view);
    const { isOver } = this.#time;
    if (isOver) this.#time.warnOfEnd(end);
    else if (this.#time.isForWaitsUsedUp) this.#time.warnOfHurry(end);
    return isOver;
  }

  /** What Chromium paints behind a page that has no background: white by default. */
  async #setBackground(background: { readonly color?: typeof TRANSPARENT }): Promise<void> {
    await this.#page.session.cdp.send("Emulation.setDefaultBackgroundColorOverride", background);
  }
}

/** True for what is pinned and may look different, or stand elsewhere, in any window: all but headers and bars of the first one. */
function isChanging(view: number): (pin: Pin) => boolean {
  return ({ kind, home, height }) => STAYING.has(kind) || (kind === "once" && home + height > view);
}
