// Content that is there but unseen, such as what appears in the middle of a window only: gets windows of its own.
import type { CapturedPage } from "../page/captured-page.ts";
import { passTime } from "../rendering/page-time.ts";
import { countUnseen, dismissUnseen, findUnseen, noteLateAnswer, noteTried } from "./page-functions.ts";
import type { PaneDocuments } from "./pane-documents.ts";
import type { VisitTime } from "./visit-time.ts";

/** The windows of a visit. Some are visited for elements that are unseen elsewhere. Offsets are in CSS pixels. */
export interface WindowsToSee {
  readonly documents: PaneDocuments;
  readonly all: readonly { readonly offset: number }[];
  readonly first: number;
  readonly limit: number;
  readonly view: number;
  take(offset: number): Promise<unknown>;
  dropLast(): void;
}

/** The most windows for elements that are unseen, and the most of these in a row that show none of them. */
const MAX_EXTRA = 24;
const MAX_FAILED = 6;

/** The additional wait for elements that are unseen in a window of their own, in milliseconds. */
const UNSEEN_MS = 1_000;

/** Elements whose middles are so close are seen in one window, as a share of its height. */
const TOGETHER = 0.06;

export class UnseenContent {
  readonly #page: CapturedPage;
  readonly #windows: WindowsToSee;
  readonly #time: VisitTime;
  #extra = 0;
  #failed = 0;

  constructor(page: CapturedPage, windows: WindowsToSee, time: VisitTime) {
    [this.#page, this.#windows, this.#time] = [page, windows, time];
  }

  /** Visits what is there but unseen in the middle of a window. Returns whether there is any here or further down. */
  async visit({ offset }: { readonly offset: number }): Promise<boolean> {
    if (this.#time.isForWaitsUsedUp) return false;
    const { documents, view } = this.#windows;
    const unseen = await documents.call(findUnseen);
    const middles = unseen.flatMap((each) => each.middles).sort((one, other) => one - other);
    const hasMoreBelow = unseen.some((each) => each.hasMoreBelow);
    for (const group of groupClose(middles, TOGETHER * view)) {
      if (this.#extra >= MAX_EXTRA || this.#failed >= MAX_FAILED) break;
      const middle = ((group[0] ?? 0) + (group.at(-1) ?? 0)) / 2;
      await this.#visitGroup(group, Math.round(offset + middle - view / 2));
    }
    return middles.length > 0 || hasMoreBelow;
  }

  /** Visits elements by their middles in a window of their own, which remains where it shows one of them. */
  async #visitGroup(group: readonly number[], target: number): Promise<void> {
    const { documents, all, first, limit, view } = this.#windows;
    if (target <= first || target >= limit) return;
    if (all.some((window) => Math.abs(window.offset - target) < 0.02 * view)) {
      await documents.call(dismissUnseen, group);
      return;
    }
    await this.#takeUntilSeen(target, group);
    const isSeen = (await this.#count(noteTried, group)) > 0;
    this.#extra++;
    this.#failed = isSeen ? 0 : this.#failed + 1;
    if (!isSeen) this.#windows.dropLast();
  }

  /** Takes a window for elements that are unseen; once more where more of them are seen a while later. */
  async #takeUntilSeen(target: number, group: readonly number[]): Promise<void> {
    const windows = this.#windows;
    await windows.take(target);
    const unseen = await this.#count(countUnseen, group);
    if (unseen === 0 || this.#page.isJavaScriptDisabled || this.#time.isForWaitsUsedUp) return;
    await passTime(this.#page, UNSEEN_MS);
    if ((await this.#count(countUnseen, group)) >= unseen) return;
    await windows.documents.call(noteLateAnswer);
    windows.dropLast();
    await windows.take(target);
  }

  async #count(count: typeof countUnseen, group: readonly number[]): Promise<number> {
    return (await this.#windows.documents.call(count, group)).reduce((sum, each) => sum + each, 0);
  }
}

/** Groups of sorted numbers that are closer to their first one than `distance`. */
function groupClose(sorted: readonly number[], distance: number): number[][] {
  const groups: number[][] = [];
  for (const each of sorted) {
    const group = groups.at(-1);
    if (group && each - (group[0] ?? 0) < distance) group.push(each);
    else groups.push([each]);
  }
  return groups;
}
