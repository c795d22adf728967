// Steps that bring the page to rest and choose the part of it that the picture shows.
import type { Protocol } from "puppeteer-core";
import { ApiError } from "../../../errors/api-error.ts";
import { pageOrigin, pageZoom } from "../../emulation/emulation.ts";
import { type Area, intersect, wholePixels, withPadding } from "../../outputs/screenshot/area.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForCanvases } from "../../rendering/canvases.ts";
import { softAllowance } from "../budget.ts";
import type { CaptureState } from "../capture-context.ts";
import { elementOffPage, outsidePage } from "../capture-failure.ts";
import type { Actions } from "./actions.ts";
import { awaitElements } from "./find.ts";

const VISIT_MS = 3_000;

/** Longest wait for what an element asks for once it is in view. */
const LATE_MS = 1_000;

export const frameActions = {
  "scroll-to": async (capturing, { selector, adjust }) => {
    await awaitElements(capturing, { option: "scroll_into_view", selectors: [selector] });
    await evaluateInIsolatedWorld(capturing, "scrollToElement", selector, adjust);
    await keepHover(capturing, { mayScroll: false });
  },

  "expand-scroller": async (capturing) => {
    await evaluateInIsolatedWorld(capturing, "renderEverything");
    await evaluateInIsolatedWorld(capturing, "expandScroller");
  },

  unpin: async (capturing) => {
    if (capturing.hovered === undefined) return evaluateInIsolatedWorld(capturing, "neutraliseFixed");
    // What is fixed is placed from the page's top; the pointer may need the page elsewhere.
    await evaluateInIsolatedWorld(capturing, "scrollToOffset", 0);
    await evaluateInIsolatedWorld(capturing, "neutraliseFixed");
    await evaluateInIsolatedWorld(capturing, "rememberFixedPositions");
    await keepHover(capturing, { mayScroll: true });
    await evaluateInIsolatedWorld(capturing, "offsetFixed");
  },

  "finish-animations": async (capturing, { areScrollDrivenHeld }) => {
    await evaluateInIsolatedWorld(capturing, "finishAnimations", areScrollDrivenHeld ?? false);
    capturing.areAnimationsFinished = true;
    await waitForCanvases(capturing);
  },

  "frame-window": async (capturing) => {
    capturing.area = await windowArea(capturing);
  },

  "frame-page": async (capturing, { maxHeight }) => {
    const { width, height } = (await metricsOf(capturing)).cssContentSize;
    const cut = Math.min(height, maxHeight);
    if (cut < height) capturing.warnings.push(`The page is ${height} pixels tall; the image ends at ${cut}.`);
    capturing.area = wholePixels({ x: 0, y: 0, width, height: cut });
  },

  "frame-rectangle": async (capturing, { area }) => {
    const { cssContentSize, cssLayoutViewport } = await metricsOf(capturing);
    const page = {
      width: Math.max(cssContentSize.width, cssLayoutViewport.clientWidth),
      height: Math.max(cssContentSize.height, cssLayoutViewport.clientHeight),
    };
    if (!intersect(area, { x: 0, y: 0, ...page })) throw outsidePage(area, page);
    capturing.area = area;
  },

  "frame-elements": async (capturing, { selector, every, padding, visit, optional }) => {
    const search = { option: every ? "selector_all" : "selector", selectors: [selector], every };
    try {
      const found = await awaitElements(capturing, search);
      if (visit) await show(capturing, selector, every, padding);
      const areas = visit ? await awaitElements(capturing, search) : found;
      if (await evaluateInIsolatedWorld(capturing, "areTransparent", selector, every)) {
        capturing.warnings.push(transparent(selector));
      }
      const metrics = await metricsOf(capturing);
      const origin = pageOrigin(metrics);
      const onPage = areas.map((area) => ({ ...area, x: area.x + origin }));
      assertOnPage(onPage, metrics.cssContentSize, { option: search.option, selector });
      capturing.area = wholePixels(withPadding(onPage, padding));
    } catch (error) {
      if (!optional || !(error instanceof ApiError) || error.code !== "SELECTOR_NOT_FOUND") throw error;
      capturing.warnings.push(`No visible element matched the selector '${selector}'; this is the window.`);
      capturing.area = await windowArea(capturing);
    }
  },

  "crop-to-window": async (capturing) => {
    const cropped = intersect(capturing.area, await windowArea(capturing));
    if (!cropped) {
      const message = "What is to be captured lies outside of the window. Set capture_beyond_viewport to true.";
      throw new ApiError("SELECTOR_NOT_FOUND", message, { details: { capture_beyond_viewport: [message] } });
    }
    capturing.area = cropped;
  },
} satisfies Actions;

/** The warning of a selector whose elements have a place on the page but cannot be seen. */
export function transparent(selector: string): string {
  return `What matches the selector '${selector}' is transparent (its opacity, or that of an element around it, is 0), so that the capture does not show it. Set its opacity with 'styles'.`;
}

/** Brings elements into view until all of them has been loaded, and leaves them where they can be seen whole. */
async function show(capturing: CaptureState, selector: string, every: boolean, padding: number): Promise<void> {
  const { activity, budget, now } = capturing;
  const { begun } = activity;
  const allowance = softAllowance(budget, now(), VISIT_MS);
  await evaluateInIsolatedWorld(capturing, "visitElements", selector, every, allowance);
  await activity.untilAnswered(begun, softAllowance(budget, now(), LATE_MS));
  await evaluateInIsolatedWorld(capturing, "presentElements", selector, every, padding);
  await keepHover(capturing, { mayScroll: true });
  await evaluateInIsolatedWorld(capturing, "uncoverElements", selector, every);
}

/** Throws `SELECTOR_NOT_FOUND` for elements that lie outside of the page: Chromium paints nothing of them, or never ends. */
function assertOnPage(
  areas: readonly Area[],
  page: { readonly width: number; readonly height: number },
  { option, selector }: { readonly option: string; readonly selector: string },
): void {
  if (areas.some((area) => intersect(area, { ...page, x: 0, y: 0 }))) return;
  const isLeft = areas.every(({ x, width }) => x + width <= 0);
  const isAbove = areas.every(({ y, height }) => y + height <= 0);
  throw elementOffPage(option, selector, isLeft ? "to the left of" : isAbove ? "above" : "outside of");
}

/** The part of the page that is in view, in whole pixels: Chromium leaves out fractions of those it is asked for. */
export async function windowArea(capturing: CaptureState): Promise<Area> {
  const metrics = await metricsOf(capturing);
  const { pageX, pageY } = metrics.cssVisualViewport;
  const { width, height } = capturing.window;
  const zoom = pageZoom(metrics);
  return {
    x: pageX + pageOrigin(metrics),
    y: pageY,
    width: Math.round(width / zoom),
    height: Math.round(height / zoom),
  };
}

/** Measures the page, and by the way the scale in which it is shown. */
async function metricsOf(capturing: CaptureState): Promise<Protocol.Page.GetLayoutMetricsResponse> {
  const metrics = await capturing.session.cdp.send("Page.getLayoutMetrics");
  capturing.scale = capturing.window.scale * pageZoom(metrics);
  return metrics;
}
