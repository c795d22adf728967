// Plans which outputs of a request share a load of the page: those whose captures by themselves would start in the same way.

import { isDeepStrictEqual } from "node:util";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { type FormatKind, formatKind } from "../../../contract/options/formats.ts";
import { browserUseFor } from "../../browser/browser-use.ts";
import { judgesResult } from "../retry-on.ts";
import type { Step } from "../step.ts";
import { imageSettings } from "./image.ts";
import { changesPage, isRestorable } from "./page-changes.ts";
import { planCapture } from "./plan.ts";
import { keepsPixels, sharesPicture } from "./shared-picture.ts";

/** Outputs in the order in which they are captured. A video is last: its recording stops the page's time for good. */
const ORDER: readonly FormatKind[] = ["document", "image", "pdf", "video"];

interface Load<T> {
  readonly outputs: [T, ...T[]];
  /** How the browser is prepared, and the page requested and confirmed. */
  readonly request: object;
  /** The last output that has a picture of its own. */
  last: T;
  /** What was done to the page before the last output was captured, once it was requested. */
  ready: readonly object[];
  /** True when another output can be captured after the last one. */
  isOpen: boolean;
}

/** What a capture does before it captures the page. */
interface Start {
  /** How the browser is prepared, the page requested and confirmed, and how long all of it may take. */
  readonly request: object;
  /** What is done to the page, in this order. */
  readonly ready: readonly object[];
}

/**
 * Groups outputs by the load of the page that they share, in the order in which the loads and their outputs are captured. All
 * outputs of a load prepare the browser and request the page in the same way. What is done to the page for one of them before
 * it is captured is what the next one begins with. After an output that changes the page for good, only images follow that are
 * encoded from its picture.
 */
export function planLoads<T extends { readonly options: EngineOptions }>(
  outputs: readonly T[],
): (readonly [T, ...T[]])[] {
  const loads: Load<T>[] = [];
  for (const output of outputs.toSorted((one, other) => rank(one.options) - rank(other.options))) {
    const { options } = output;
    const { request, ready } = planStart(options);
    const isOpen = !changesPage(options) || isRestorable(options);
    const mayShare = (load: Load<T>) =>
      sharesLoad(options) &&
      sharesLoad(load.last.options) &&
      isDeepStrictEqual(load.request, request) &&
      isDeepStrictEqual(load.ready, ready.slice(0, load.ready.length));
    const pictured = loads.find((load) => mayShare(load) && sharesPicture(load.last.options, options));
    const open = loads.find((load) => mayShare(load) && load.isOpen);
    if (pictured) pictured.outputs.push(output);
    else if (open) {
      open.outputs.push(output);
      Object.assign(open, { last: output, ready, isOpen });
    } else loads.push({ outputs: [output], request, last: output, ready, isOpen });
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

function planStart(options: EngineOptions): Start {
  const { prepare, navigate, ready, confirm } = planCapture(options);
  const request = [...prepare, navigate, confirm].map(describeStep);
  return {
    request: { steps: request, browser: browserUseFor(options), timeout: options.timeout },
    ready: ready.map(describeStep),
  };
}

function describeStep({ name, effect }: Step<never, unknown>): object {
  return { name, effect };
}

/**
 * False for a capture whose attempts depend on its result, which may be of a moment before the page is ready, or whose report is of
 * all that its browser has done.
 */
function sharesLoad(options: EngineOptions): boolean {
  const { format, self_repair, on_timeout, metadata_report } = options;
  const isAttemptedAlone = self_repair || judgesResult(options);
  return formatKind(format) !== "video" && !isAttemptedAlone && on_timeout !== "capture" && !metadata_report;
}
