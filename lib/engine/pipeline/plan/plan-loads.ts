// Plans which outputs of a request share a load of the page: those whose captures by themselves would start in the same way.

import { isDeepStrictEqual } from "node:util";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { type FormatKind, formatKind } from "../../../contract/options/formats.ts";
import { browserUseFor, frameModeFor } from "../../browser/browser-use.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { showsWindow } from "./area.ts";
import { planCapture } from "./plan.ts";

/** Outputs in the order in which they are captured. A video is last: its recording stops the page's time for good. */
const ORDER: readonly FormatKind[] = ["document", "image", "pdf", "video"];

interface Load<T> {
  readonly outputs: [T, ...T[]];
  /** What a capture does before it captures the page. */
  readonly start: object;
  /** True when another output can be captured after the last one. */
  isOpen: boolean;
}

/**
 * Groups outputs by the load of the page that they share, in the order in which the loads and their outputs are captured. All
 * outputs of a load prepare the browser, request the page, and wait for it in the same way. At most the last one changes the page.
 */
export function planLoads<T extends { readonly options: EngineOptions }>(
  outputs: readonly T[],
): (readonly [T, ...T[]])[] {
  const loads: Load<T>[] = [];
  for (const output of outputs.toSorted((one, other) => rank(one.options) - rank(other.options))) {
    const { options } = output;
    const start = loadStart(options);
    const isOpen = !changesPage(options);
    const shared = sharesLoad(options)
      ? loads.find((load) => load.isOpen && isDeepStrictEqual(load.start, start))
      : undefined;
    if (shared) {
      shared.outputs.push(output);
      shared.isOpen = isOpen;
    } else loads.push({ outputs: [output], start, isOpen: isOpen && sharesLoad(options) });
  }
  return loads.map((load) => load.outputs);
}

/** Outputs that leave the page as it is come before those of their kind that change it. */
function rank(options: EngineOptions): number {
  return 2 * ORDER.indexOf(formatKind(options.format)) + (changesPage(options) ? 1 : 0);
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
