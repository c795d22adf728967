// Plans which outputs of a request share a load of the page: those whose captures by themselves would start in the same way.

import { isDeepStrictEqual } from "node:util";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { type FormatKind, formatKind } from "../../../contract/options/formats.ts";
import { browserUseFor, frameModeFor } from "../../browser/browser-use.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { showsWindow } from "./area.ts";
import { imageSettings } from "./image.ts";
import { planCapture } from "./plan.ts";
import { keepsPixels, sharesPicture } from "./shared-picture.ts";

/** Outputs in the order in which they are captured. A video is last: its recording stops the page's time for good. */
const ORDER: readonly FormatKind[] = ["document", "image", "pdf", "video"];

interface Load<T> {
  readonly outputs: [T, ...T[]];
  /** What a capture does before it captures the page. */
  readonly start: object;
  /** The last output that has a picture of its own. */
  last: T;
  /** True when another output can be captured after the last one. */
  isOpen: boolean;
}

/**
 * Groups outputs by the load of the page that they share, in the order in which the loads and their outputs are captured. All
 * outputs of a load prepare the browser, request the page, and wait for it in the same way. After one that changes the page,
 * only images follow that are encoded from its picture.
 */
export function planLoads<T extends { readonly options: EngineOptions }>(
  outputs: readonly T[],
): (readonly [T, ...T[]])[] {
  const loads: Load<T>[] = [];
  for (const output of outputs.toSorted((one, other) => rank(one.options) - rank(other.options))) {
    const { options } = output;
    const start = loadStart(options);
    const isOpen = !changesPage(options);
    const mayShare = ({ start: other, last }: Load<T>) =>
      sharesLoad(options) && sharesLoad(last.options) && isDeepStrictEqual(other, start);
    const pictured = loads.find((load) => mayShare(load) && sharesPicture(load.last.options, options));
    const open = loads.find((load) => mayShare(load) && load.isOpen);
    if (pictured) pictured.outputs.push(output);
    else if (open) {
      open.outputs.push(output);
      Object.assign(open, { last: output, isOpen });
    } else loads.push({ outputs: [output], start, last: output, isOpen });
  }
  return loads.map((load) => load.outputs);
}

/**
 * Outputs that leave the page as it is come before those of their kind that change it, and of these the images that are
 * encoded from pixels come last: they can have those of another one.
 */
function rank(options: EngineOptions): number {
  const image = imageSettings(options);
  const isFromPixels = image !== undefined && keepsPixels(image);
  return 4 * ORDER.indexOf(formatKind(options.format)) + (changesPage(options) ? 2 : 0) + (isFromPixels ? 1 : 0);
}

/** All that happens before the page is captured, and for how long at most. */
function loadStart(options: EngineOptions): object {
  const { prepare, navigate, ready, confirm } = planCapture(options);
  const steps = [...prepare, navigate, ...ready, confirm].map(({ name, params }) => ({ name, params }));
  return { steps, browser: browserUseFor(options), timeout: options.timeout };
}

/**
 * False for a capture whose attempts depend on its result, which may be of a moment before the page is ready, or whose report is of
 * all that its browser has done.
 */
function sharesLoad({ format, self_repair, on_timeout, metadata_report }: EngineOptions): boolean {
  return formatKind(format) !== "video" && !self_repair && on_timeout !== "capture" && !metadata_report;
}

/**
 * False for an output that is known to leave the page as it was: a document, and an opaque image of the window that one frame
 * shows. Larger images scroll, resize, or change the page.
 */
function changesPage(options: EngineOptions): boolean {
  const kind = formatKind(options.format);
  if (kind === "document") return options.format === "mhtml";
  if (kind !== "image" || !showsWindow(options) || options.scroll_into_view !== undefined) return true;
  const { scale, screenMetrics } = resolveEnvironment(options);
  const isOneFrame = scale === 1 && screenMetrics === undefined && frameModeFor(options) === "begin-frame-control";
  return !isOneFrame || options.omit_background;
}
