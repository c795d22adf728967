// A page whose overlays (consent banners and dialogs) are closed, and what the steps that close them share.

import type { BlockReport } from "../adblock/block-report.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import type { AutoconsentPage } from "./autoconsent-page.ts";
import type { Dismissal } from "./page-left.ts";

export interface OverlayPage extends CapturedPage {
  readonly lists: FilterLists;
  readonly blocked: BlockReport;
  readonly overlays: OverlayState;
  /** The URL that the capture navigated to; undefined for HTML and Markdown. */
  readonly address?: string | undefined;
}

/** Changes while the page is captured: autoconsent clicks at any time. */
export interface OverlayState {
  /** Looks for the banners of known consent platforms. */
  consent?: { readonly watch: AutoconsentPage; readonly accept: boolean };
  /** The last click on a banner or dialog; cleared before the caller's own clicks and scripts. */
  dismissal?: Dismissal | undefined;
  /** Set once the remaining banners are hidden, in this document and all that follow. */
  hiding?: Promise<void>;
}
