// Records what the window shows at each scroll position: the styles of elements while they are in view, and reference views.

import * as v from "valibot";
import type * as inViewStyles from "../../injected/in-view-styles.ts";
import type * as pinnedScenes from "../../injected/pinned-scenes.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { awaitRevealsInPage, recordInViewInPage } from "../../page/in-view.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import type { VirtualTime } from "../../rendering/virtual-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../../timing/scroll-waits.ts";
import { type Reference, takeReference } from "./reference-views.ts";

/** How many windows are waited for that never stand still. */
const MAX_MOVING_WINDOWS = 2;

/** Real time: longest wait for what scrolling reveals in all windows. */
const MAX_ALL_REVEALS_MS = 5_000;

/**
 * What views are recorded for beside the styles of elements: a comparison of the picture with reference views, which note pinned
 * scenes too, or pinned scenes alone.
 */
export type ViewPurpose = "comparison" | "pinned-scenes" | "styles";

export class ViewRecorder {
  /** In virtual time only. */
  readonly references: Reference[] = [];
  readonly #page: CapturedPage;
  readonly #purpose: ViewPurpose;
  /** Windows that went on changing for as long as they were waited for. */
  #movingWindows = 0;
  /** How long real time may still wait for reveals, in milliseconds. */
  #revealMs = MAX_ALL_REVEALS_MS;

  constructor(page: CapturedPage, purpose: ViewPurpose) {
    this.#page = page;
    this.#purpose = purpose;
  }

  /**
   * Records the window that the page was scrolled to at `since`, in virtual milliseconds (0 in real time), or that of a page that was
   * not scrolled, once it stands still.
   */
  async record(since?: number): Promise<void> {
    const virtual = this.#page.frameScheduler?.virtualTime;
    if (virtual) await this.#recordInVirtualTime(virtual, since ?? virtual.now);
    else await this.#recordInRealTime(since === undefined ? 0 : REACTION_MS);
  }

  async #recordInVirtualTime(virtual: VirtualTime, since: number): Promise<void> {
    const { frameScheduler } = this.#page;
    if (!frameScheduler) return;
    const maxMs = this.#movingWindows < MAX_MOVING_WINDOWS ? MAX_MOVING_MS : 0;
    const isStill = await virtual.passUntilStill(maxMs, STILL_MS, since);
    if (!isStill) this.#movingWindows++;
    await evaluateInIsolatedWorld(this.#page, recordInViewInPage);
    if (this.#purpose === "comparison") this.references.push(await takeReference(this.#page, frameScheduler));
    if (this.#purpose === "pinned-scenes") await evaluateInIsolatedWorld(this.#page, recordPinned);
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

const recordPinned: PageFunction<typeof pinnedScenes.recordPinned> = pageFunction("fullPage", "recordPinned");
