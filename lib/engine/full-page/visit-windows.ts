// The windows of a visit: scrolls to one, waits until it is still, observes it, and takes its picture.

import { captureArea, type ScaledPage, TILE_SETTINGS } from "../formats/screenshot/screenshot.ts";
import type { Area } from "../geometry/area.ts";
import { type HoveredPage, keepHover } from "../page/hover.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { loadMore } from "../page/load-more.ts";
import { measureLayout, measureViewport } from "../page/viewport.ts";
import { sidesOfWindowInPage } from "../page/window-sides.ts";
import { passTime } from "../rendering/page-time.ts";
import type { Item } from "./items.page.ts";
import type { ObservedWindow } from "./observe.page.ts";
import {
  describePanes,
  findPanes,
  holdEndlessAnimations,
  observeWindow,
  scrollPageToEnd,
  scrollPanes,
} from "./page-functions.ts";
import { type PaneDocument, PaneDocuments } from "./pane-documents.ts";
import type { Pane } from "./panes.page.ts";
import type { Pin, WindowPlace } from "./pinned.page.ts";
import { findShift, outsideScenes } from "./registration.ts";
import { waitUntilStill } from "./until-still.ts";
import type { VisitOptions } from "./visit-options.ts";
import type { VisitTime } from "./visit-time.ts";

export type VisitedPage = ScaledPage & HoveredPage;

export interface VisitedWindow {
  /** How far the page was scrolled, in CSS pixels; and each pane. */
  readonly offset: number;
  readonly offsets: readonly number[];
  /** Where the window begins in the content, which may have moved by itself since the visit began. */
  top: number;
  readonly image: Buffer;
  readonly items: readonly Item[];
  readonly pins: readonly Pin[];
  readonly hasStickyAhead: boolean;
  /** True for a stage of a scene. */
  readonly isStage: boolean;
}

/** What is above the windows where the page and its panes both scroll: a picture, and how much of it is that. */
export interface Lead {
  readonly image: Buffer;
  readonly height: number;
}

/** How far content has moved by itself since the visit began, and the height of the page then, in CSS pixels. */
interface Registration {
  readonly shift: number;
  readonly height: number | undefined;
}

/** Documents with panes, by which the numbers of their elements differ. */
const MAX_DOCUMENTS = 1_000;

/** Frames on the way to a window. */
const FRAMES_BETWEEN = 3;

/** How long what was hidden may take to be gone, in milliseconds. */
const HIDING_MS = 50;

export class VisitWindows {
  readonly #page: VisitedPage;
  readonly #options: VisitOptions;
  readonly #time: VisitTime;
  readonly #windows: VisitedWindow[] = [];
  readonly documents: PaneDocuments;
  /** Where the visit ends, in CSS pixels: further down than the picture, by the space of scenes that it shows once. */
  maxHeight: number;
  #area: Area = { x: 0, y: 0, width: 0, height: 0 };
  #registration: Registration = { shift: 0, height: undefined };
  #isRegistered = true;

  constructor(page: VisitedPage, options: VisitOptions, time: VisitTime) {
    [this.#page, this.#options, this.#time, this.maxHeight] = [page, options, time, options.maxHeight];
    this.documents = new PaneDocuments(page);
  }

  /** In the order in which they were taken. */
  get all(): readonly VisitedWindow[] {
    return this.#windows;
  }

  get panes(): readonly Pane[] {
    return this.documents.panes;
  }

  /** The area of a window on the page. */
  get area(): Area {
    return this.#area;
  }

  /** The height of a window: that of the lowest pane. */
  get view(): number {
    return this.documents.view;
  }

  /** The smallest offset. */
  get first(): number {
    return Math.max(0, Math.min(Math.floor(this.#options.from ?? 0), this.limit));
  }

  /** The largest offset. */
  get limit(): number {
    return Math.max(0, Math.min(this.documents.maxOffset, this.maxHeight - this.view));
  }

  /** How far the content has moved by itself since the visit began. */
  get shift(): number {
    return this.#registration.shift;
  }

  /** Notes that content had moved up by so many CSS pixels more when this window was taken, and those since. */
  shiftBy(moved: number, window: VisitedWindow): void {
    for (const each of this.#windows.slice(this.#windows.indexOf(window))) each.top += moved;
    this.#registration = { ...this.#registration, shift: this.shift + moved };
  }

  /** False where content may have moved by itself, but has too little in common with the window before to tell. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Finds what scrolls, and measures the window. */
  async find(): Promise<void> {
    await this.documents.find(findPanes, this.#options.findsPanes);
    this.#area = await measureWindow(this.#page, this.panes);
  }

  /** Scrolls the page itself to its end where panes scroll in its place, and takes what is above its window then. */
  async takeLead(): Promise<Lead | undefined> {
    if (this.panes.some(({ isPage }) => isPage)) return undefined;
    const image = await captureArea(this.#page, this.#area, TILE_SETTINGS);
    const height = await evaluateInIsolatedWorld(this.#page, scrollPageToEnd);
    if (height === 0) return undefined;
    this.#area = { ...this.#area, y: height };
    await this.documents.locate();
    this.documents.update(await this.documents.call(describePanes));
    return { image, height };
  }

  async take(offset: number, { isStage = false } = {}): Promise<VisitedWindow> {
    const window = await this.#take(offset, { isStage, isRetake: false });
    this.#windows.push(window);
    return window;
  }

  /** Takes a window again, in place of what it was, unless what it shows is no use. */
  async retake(window: VisitedWindow, isOfUse = async (_: VisitedWindow) => true): Promise<void> {
    const registration = this.#registration;
    this.#registration = { ...registration, shift: window.top - window.offset };
    const again = await this.#take(window.offset, { isStage: window.isStage, isRetake: true });
    if (await isOfUse(again)) this.#windows[this.#windows.indexOf(window)] = again;
    this.#registration = registration;
  }

  /** Takes a window, unless what it shows is no use: then all is as if it had not been visited. */
  async takeIf(offset: number, isOfUse: (window: VisitedWindow) => boolean): Promise<VisitedWindow | undefined> {
    const registration = this.#registration;
    const window = await this.take(offset);
    if (isOfUse(window)) return window;
    this.#windows.pop();
    this.#registration = registration;
    return undefined;
  }

  /** Keeps these windows alone. */
  keep(windows: readonly VisitedWindow[]): void {
    this.#windows.splice(0, this.#windows.length, ...windows);
  }

  /** Forgets the last window. */
  dropLast(): void {
    this.#windows.pop();
  }

  async #take(offset: number, { isStage, isRetake }: { isStage: boolean; isRetake: boolean }): Promise<VisitedWindow> {
    const page = this.#page;
    const { requestsStarted } = page.activity;
    await this.documents.call(scrollPanes, offset, FRAMES_BETWEEN);
    await keepHover(page, { mayScroll: false }); // what it starts is waited for
    await this.#observe({ listsItems: false });
    await waitUntilStill(page, this.documents, { ...this.#options, time: this.#time });
    if (this.#mayLoadMore && !isRetake) await loadMore(page, requestsStarted);
    let observed = await this.#observe();
    if (observed.hasChanged) {
      await passTime(page, HIDING_MS);
      observed = await this.#observe();
    }
    await this.documents.call(holdEndlessAnimations);
    const { items, pins, hasStickyAhead } = observed;
    const reached = Math.max(...this.panes.map((pane) => pane.offset));
    if (!isRetake) this.#register(offset, reached, outsideScenes(items, pins));
    const image = await captureArea(page, { ...this.#area, ...this.#origin(reached) }, TILE_SETTINGS);
    const offsets = this.panes.map((pane) => pane.offset);
    return { offset: reached, offsets, top: reached + this.shift, image, items, pins, hasStickyAhead, isStage };
  }

  /** Where a window is on the page. */
  #origin(offset: number): Pick<Area, "x" | "y"> {
    return { x: this.#area.x, y: this.panes[0]?.isPage ? offset : this.#area.y };
  }

  /** True at the end of a page with scripts, which may add to it there. */
  get #mayLoadMore(): boolean {
    const isAtEnd = this.panes.every(({ offset, maxOffset }) => offset >= maxOffset - 1);
    return isAtEnd && !this.#page.isJavaScriptDisabled && !this.#time.isForWaitsUsedUp;
  }

  async #observe({ listsItems = true } = {}): Promise<Omit<ObservedWindow, "panes">> {
    const { hidesPinned, scenes } = this.#options;
    const observed = await this.documents.callEach(observeWindow, ({ panes }): [WindowPlace, boolean] => {
      const offset = Math.max(0, ...panes.map((pane) => pane.offset));
      const end = Math.min(this.limit, Math.max(0, ...panes.map(({ maxOffset }) => maxOffset)));
      const place: WindowPlace = {
        shift: this.shift,
        isFirst: offset <= this.first + 1,
        isLast: offset >= end - 1,
        hidesPinned,
        holdsScenes: scenes === "as_is",
      };
      return [place, listsItems];
    });
    this.documents.update(observed.map(({ panes }) => panes));
    return mergeObserved(observed, this.documents.all);
  }

  /** Content may have moved by itself where the page was not scrolled to where it should be, or where it has another height. */
  #register(wanted: number, reached: number, items: readonly Item[]): void {
    const height = Math.max(...this.panes.map(({ maxOffset }) => maxOffset));
    const before = this.#windows.at(-1);
    const { shift: shiftBefore, height: heightBefore = height } = this.#registration;
    const mayHaveMoved = Math.abs(reached - Math.min(wanted, this.limit)) > 2 || height !== heightBefore;
    const isCompared = before !== undefined && mayHaveMoved && this.panes.length === 1;
    const moved = isCompared ? findShift(before, { offset: reached, items }, this.view) : 0;
    this.#isRegistered = moved !== undefined;
    if (moved !== undefined) this.#registration = { shift: shiftBefore + moved, height };
  }
}

/** What all documents of the page show in one window. */
function mergeObserved(
  observed: readonly ObservedWindow[],
  documents: readonly PaneDocument[],
): Omit<ObservedWindow, "panes"> {
  const items = observed.flatMap((each, index) => {
    const { x, y } = documents[index]?.origin ?? { x: 0, y: 0 };
    return each.items.map((item) => ({ ...item, id: `${index} ${item.id}`, x: item.x + x, y: item.y + y }));
  });
  const pins = observed.flatMap((each, index) =>
    each.pins.map((pin) => ({ ...pin, id: pin.id * MAX_DOCUMENTS + index })),
  );
  return {
    items,
    pins,
    hasChanged: observed.some(({ hasChanged }) => hasChanged),
    hasStickyAhead: observed.some(({ hasStickyAhead }) => hasStickyAhead),
  };
}

/** The area of a window: as wide as the page, where that is wider. */
async function measureWindow(page: VisitedPage, panes: readonly Pane[]): Promise<Area> {
  const { area } = await measureViewport(page);
  if (!panes.every(({ isPage }) => isPage)) return area;
  const { metrics } = await measureLayout(page);
  const sides = await evaluateInIsolatedWorld(page, sidesOfWindowInPage);
  const width = sides.right ? area.width : Math.max(area.width, Math.ceil(metrics.cssContentSize.width));
  return width > area.width ? { ...area, x: 0, width } : area;
}
