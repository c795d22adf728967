// The report of what was blocked in a page and closed on it.

export interface BlockReport {
  /** Number of blocked requests. */
  requests: number;
  /** The consent platform of the page, and how its banner was closed. */
  cookie_banner?: { readonly platform: string; readonly closed_by: "rejecting" | "accepting" | "hiding" };
  /** Number of overlays that were recognised by appearance and words, and closed or hidden. */
  dialogs: number;
  /** True for a page that an overlay had locked or blurred, and that was restored. */
  unlocked: boolean;
}
