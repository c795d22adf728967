// What a capture does to the page: whether another output can be captured after it.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { formatKind, isImageFormat } from "../../../contract/options/formats.ts";
import { frameModeFor } from "../../browser/browser-use.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { showsWindow } from "./area.ts";

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
 * True for an output whose changes of the page can be taken back: an opaque image of the whole page, for which elements get
 * other styles. One that is taken section by section scrolls the page as well.
 */
export function isRestorable({ format, full_page, full_page_algorithm, omit_background }: EngineOptions): boolean {
  return isImageFormat(format) && full_page && full_page_algorithm !== "by_sections" && !omit_background;
}
