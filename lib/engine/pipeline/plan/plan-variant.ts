// How a repeated attempt at a capture differs from the first.

/** What a repeated attempt does differently. */
export interface PlanVariant {
  /** True when frames cannot be controlled: the page paints continuously and a video is recorded in real time. @default false */
  readonly isRealTime?: boolean;
  /** True when the page's clock cannot be taken over, as while a script waits for it in a loop. @default false */
  readonly settlesInRealTime?: boolean;
  /** True when banners and dialogs are hidden, not clicked, because a click has navigated the page. @default false */
  readonly onlyHides?: boolean;
}
