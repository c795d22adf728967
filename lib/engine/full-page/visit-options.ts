// What a visit of a page is asked for.
import type { ScenesShown } from "./scenes.ts";

export interface VisitOptions {
  /** Where the visit begins, in CSS pixels from the top. @default 0 */
  readonly from?: number;
  /** Where the visit ends, in CSS pixels from the top. */
  readonly maxHeight: number;
  /** True where elements that scroll in place of the page are panes. */
  readonly findsPanes: boolean;
  /** False where what is pinned to the window stays in all of them. */
  readonly hidesPinned: boolean;
  /** How scenes are shown that stay in the window while the page scrolls, where `hidesPinned`. */
  readonly scenes: ScenesShown;
  /** CSS pixels between two windows; undefined for steps that adapt to the page. */
  readonly by?: number | undefined;
  /** An additional wait in each window, in milliseconds of the page's time. */
  readonly delayMs?: number | undefined;
  /** True where the pictures keep what the page leaves transparent. */
  readonly isTransparent: boolean;
  /** True where animations that have an end are finished at once instead of waited for. */
  readonly finishesAnimations: boolean;
}
