// What a capture does to the page: whether another output can be captured after it.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { formatKind, isImageFormat } from "../../../contract/options/formats.ts";
import { frameModeFor } from "../../browser/browser-use.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { showsWindow } from "./area.ts";
import { isStitched } from "./readiness.ts";

/**
 * False for an output that is known to leave the page as it was: a document, and an opaque image of the window that one frame
 * shows. Larger images scroll, resize, or change the page.
 */
export function changesPage(options: EngineOptions): boolean {
  const kind = formatKind(options.format);
  if (kind === "document") return options.format === "mhtml";
  if (kind !== "image" || !showsWindow(options) || options.scroll_into_view !== undefined) return true;
  const { scale, screenMetrics } = resolveEnvironment(options);
  const isOneFrame = scale === 1 && screenMetrics === undefined && frameModeFor(options) === "begin-frame-control";
  return !isOneFrame || options.omit_background;
}

/**
 * True for an output whose changes of the page can be taken back: an image of the whole page that is stitched, or is opaque, for which
 * elements get other styles.
 */
export function isRestorable(options: EngineOptions): boolean {
  const { format, full_page, omit_background } = options;
  return isStitched(options) || (isImageFormat(format) && full_page && !omit_background);
}
