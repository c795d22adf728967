// Visits a page that is captured as it is afterwards, such as for print: waits at each window until nothing moves or is about to, and
// records the styles of what is in view. Takes no pictures, and hides nothing.
import * as v from "valibot";
import type * as inViewStyles from "../injected/in-view-styles.ts";
import type * as liveWindow from "../injected/live-window.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { recordInViewInPage } from "../page/in-view.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { loadMore } from "../page/load-more.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { findPanes, observePanes, revertVisit, scrollPanes } from "./page-functions.ts";
import { PaneDocuments } from "./pane-documents.ts";
import { UnseenContent, type WindowsToSee } from "./unseen.ts";
import { waitUntilStill } from "./until-still.ts";
import type { VisitOptions } from "./visit-options.ts";
import { CALM_STEP, CAREFUL_STEP, MAX_WINDOWS } from "./visit-steps.ts";
import { VisitTime } from "./visit-time.ts";

/** Frames on the way to a window: fewer than for a picture, since what is unseen is visited, and nothing is in two windows. */
const FRAMES_BETWEEN = 1;

export type LiveVisitOptions = Pick<VisitOptions, "maxHeight" | "findsPanes" | "by" | "delayMs" | "finishesAnimations">;

export class LiveVisit implements WindowsToSee {
  readonly #page: CapturedPage;
  readonly #options: LiveVisitOptions;
  readonly #time: VisitTime;
  readonly #unseen: UnseenContent;
  readonly #offsets: { readonly offset: number }[] = [];
  readonly documents: PaneDocuments;
  readonly first = 0;

  constructor(page: CapturedPage, options: LiveVisitOptions) {
    [this.#page, this.#options] = [page, options];
    this.#time = new VisitTime(page);
    this.documents = new PaneDocuments(page);
    this.#unseen = new UnseenContent(page, this, this.#time);
  }

  get all(): readonly { readonly offset: number }[] {
    return this.#offsets;
  }

  get view(): number {
    return this.documents.view;
  }

  /** The largest offset. */
  get limit(): number {
    return Math.max(0, Math.min(this.documents.maxOffset, this.#options.maxHeight - this.view));
  }

  /** Visits the whole page. It is at its top afterwards. */
  async run(): Promise<void> {
    await this.documents.find(findPanes, this.#options.findsPanes);
    await this.#visitWindows();
    await this.#returnToTop();
    if (await this.#visitMoving()) await this.#returnToTop();
    await this.documents.call(revertVisit);
  }

  /** Scrolls to a window, waits until it is still, and records what is in view. */
  async take(offset: number): Promise<{ readonly offset: number }> {
    const page = this.#page;
    const { requestsStarted } = page.activity;
    await this.#scroll(offset);
    if (this.#mayLoadMore) {
      await loadMore(page, requestsStarted);
      await this.#observe();
    }
    if (!page.isJavaScriptDisabled) await this.documents.call(recordInViewInPage);
    await evaluateInIsolatedWorld(page, observeLiveWindow);
    const reached = { offset: Math.max(...this.documents.panes.map((pane) => pane.offset)) };
    this.#offsets.push(reached);
    return reached;
  }

  /** Forgets the last window. */
  dropLast(): void {
    this.#offsets.pop();
  }

  async #visitWindows(): Promise<void> {
    for (let next = 0; this.#offsets.length < MAX_WINDOWS; ) {
      const window = await this.take(Math.min(next, this.limit));
      const hasUnseen = await this.#unseen.visit(window);
      if (Math.max(window.offset, next) >= this.limit - 1 || this.#mustEndAt(window)) return;
      next = Math.max(next, Math.floor(window.offset)) + this.#step(hasUnseen && !this.#time.isForWaitsUsedUp);
    }
  }

  /** CSS pixels to the next window. */
  #step(isCareful: boolean): number {
    const share = Math.max(1, Math.floor(this.view * (isCareful ? CAREFUL_STEP : CALM_STEP)));
    const { by } = this.#options;
    return isCareful ? Math.min(share, by ?? share) : (by ?? share);
  }

  async #scroll(offset: number): Promise<void> {
    await this.documents.call(scrollPanes, offset, FRAMES_BETWEEN);
    await waitUntilStill(this.#page, this.documents, { ...this.#options, time: this.#time });
    await this.#observe();
  }

  async #observe(): Promise<void> {
    this.documents.update(await this.documents.call(observePanes));
  }

  /** Elements that have come with the scrolling, such as a button that leads to the top, fade out there. */
  #returnToTop(): Promise<void> {
    return this.#scroll(0);
  }

  /** Visits elements that follow the scroll position, for the styles that they have in the middle of the window. */
  async #visitMoving(): Promise<boolean> {
    if (!this.#page.frameScheduler?.virtualTime || this.#time.isForWaitsUsedUp) return false;
    const offsets = await evaluateInIsolatedWorld(this.#page, offsetsToVisit);
    for (const offset of offsets) await this.take(offset);
    return offsets.length > 0;
  }

  /** True at the end of a page with scripts, which may add to it there. */
  get #mayLoadMore(): boolean {
    const isAtEnd = this.documents.panes.every(({ offset, maxOffset }) => offset >= maxOffset - 1);
    const { isJavaScriptDisabled } = this.#page;
    return isAtEnd && !isJavaScriptDisabled && this.#options.delayMs === undefined && !this.#time.isForWaitsUsedUp;
  }

  /** True when there is no time for further windows. Warns of that, and once that they are no longer waited for. */
  #mustEndAt({ offset }: { readonly offset: number }): boolean {
    const end = Math.round(offset + this.view);
    const { isOver } = this.#time;
    if (isOver) this.#page.warnings.push(`The time ran out while scrolling the page, at ${end} pixels from the top.`);
    else if (this.#time.isForWaitsUsedUp) this.#time.warnOfHurry(end);
    return isOver;
  }
}

const observeLiveWindow: PageFunction<typeof liveWindow.observeLiveWindow> = pageFunction(
  "fullPage",
  "observeLiveWindow",
);

const offsetsToVisit: PageFunction<typeof inViewStyles.offsetsToVisit> = pageFunction("fullPage", "offsetsToVisit", {
  result: v.array(v.number()),
});
