// What was kept out of a page, as it is told.

export interface BlockReport {
  /** Requests that were not let through. */
  requests: number;
  /** The consent platform that was recognised, and how its banner was closed. */
  cookie_banner?: { readonly platform: string; readonly closed_by: "rejecting" | "accepting" | "hiding" };
  /** Boxes over the page that were closed or taken away because of their looks and words. */
  dialogs: number;
  /** True where a page could not be scrolled, or was blurred, because of what lay over it. */
  unlocked: boolean;
}
