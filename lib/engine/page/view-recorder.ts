// Records the styles that elements have while they are in view, at each scroll position.

import * as v from "valibot";
import type * as inViewStyles from "../injected/in-view-styles.ts";
import type { VirtualTime } from "../rendering/virtual-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../timing/scroll-waits.ts";
import type { CapturedPage } from "./captured-page.ts";
import { awaitRevealsInPage, recordInViewInPage } from "./in-view.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { scrollToOffsetInPage } from "./scrolling.ts";
import { untilStill } from "./stillness.ts";

/** How many windows are waited for that never stand still. */
const MAX_MOVING_WINDOWS = 2;

/** Real time: longest wait for what scrolling reveals in all windows. */
const MAX_ALL_REVEALS_MS = 5_000;

export class ViewRecorder {
  readonly #page: CapturedPage;
  /** Windows that went on changing for as long as they were waited for. */
  #movingWindows = 0;
  /** How long real time may still wait for reveals, in milliseconds. */
  #revealMs = MAX_ALL_REVEALS_MS;

  constructor(page: CapturedPage) {
    this.#page = page;
  }

  /**
   * Records the window that the page was scrolled to at `since`, in virtual milliseconds (0 in real time), or that of a page that was
   * not scrolled, once it stands still; at once if `isHurried`.
   */
  async record(since?: number, { isHurried = false } = {}): Promise<void> {
    const virtual = this.#page.frameScheduler?.virtualTime;
    if (virtual) await this.#recordInVirtualTime(since ?? virtual.now, isHurried);
    else if (!isHurried) await this.#recordInRealTime(since === undefined ? 0 : REACTION_MS);
  }

  async #recordInVirtualTime(since: number, isHurried: boolean): Promise<void> {
    const isWaitedFor = !isHurried && this.#movingWindows < MAX_MOVING_WINDOWS;
    const maxMs = isWaitedFor ? MAX_MOVING_MS : 0;
    const { isStill } = await untilStill(this.#page, { maxMs, stillMs: STILL_MS, since });
    if (isWaitedFor && !isStill) this.#movingWindows++;
    await evaluateInIsolatedWorld(this.#page, recordInViewInPage);
  }

  /** The caller waits for real time, so that only a page that changes while it is scrolled is waited for. */
  async #recordInRealTime(reactionMs: number): Promise<void> {
    const { now, isJavaScriptDisabled, warnings } = this.#page;
    if (isJavaScriptDisabled || this.#revealMs <= 0) return;
    const startedAt = now();
    const maxMs = Math.min(MAX_REVEAL_MS, this.#revealMs);
    if (!(await evaluateInIsolatedWorld(this.#page, awaitRevealsInPage, reactionMs, maxMs))) return;
    await evaluateInIsolatedWorld(this.#page, recordInViewInPage);
    this.#revealMs -= now() - startedAt;
    if (this.#revealMs <= 0)
      warnings.push("The time ran out for what scrolling reveals; content further down may be missing.");
  }

  /** Scrolls to elements that follow the scroll position, for the styles that they have in the middle of the window. */
  async visitMoving(virtual: VirtualTime): Promise<boolean> {
    const offsets = await evaluateInIsolatedWorld(this.#page, offsetsToVisit);
    for (const offset of offsets) {
      await evaluateInIsolatedWorld(this.#page, scrollToOffsetInPage, offset);
      await virtual.pass(REACTION_MS);
      await evaluateInIsolatedWorld(this.#page, recordInViewInPage);
    }
    return offsets.length > 0;
  }
}

const offsetsToVisit: PageFunction<typeof inViewStyles.offsetsToVisit> = pageFunction("fullPage", "offsetsToVisit", {
  result: v.array(v.number()),
});
