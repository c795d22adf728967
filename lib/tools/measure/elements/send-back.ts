// Sends the selectors of a list of elements back, each to a new load of the page: as `selector`, and as `click`.

import { ApiError } from "../../../contract/errors/api-error.ts";
import type { PageElement, PageElements } from "../../../engine/formats/elements/page-elements.ts";
import type { Area } from "../../../engine/geometry/area.ts";
import type { Capture } from "../../../engine/pipeline/capture-output.ts";
import type { CapturePage, PageOptions } from "../engine-capture.ts";

/** Selectors that are sent back for each page. */
const SELECTORS = 20;

/** CSS pixels by which the sides of a box may differ: lists have whole pixels. */
const TOLERANCE = 2;

export interface SentBack {
  readonly sent: number;
  /** Those whose picture, as `selector`, has the size of the element they came from. */
  readonly selected: number;
  /** Those by which, as `click`, the element they came from was clicked. */
  readonly clicked: number;
  readonly missed: readonly { readonly element: PageElement; readonly as: "selector" | "click" }[];
}

/** Sends the selectors of 20 elements back that are spread over the list, each to a load of its own. */
export async function sendSelectorsBack(
  capture: CapturePage<Capture>,
  page: PageOptions,
  { elements }: Pick<PageElements, "elements">,
): Promise<SentBack> {
  const own = elements.filter(({ selector, frame, states }) => selector !== null && frame === null && !states.disabled);
  const count = Math.min(SELECTORS, own.length);
  const sample = Array.from({ length: count }, (_, at) => own[Math.floor((at * own.length) / count)]);
  let [selected, clicked] = [0, 0];
  const missed: { element: PageElement; as: "selector" | "click" }[] = [];
  for (const element of sample) {
    if (!element) continue;
    if (await isFound(isSelected(capture, page, element))) selected++;
    else missed.push({ element, as: "selector" });
    if (await isFound(isClicked(capture, page, element))) clicked++;
    else missed.push({ element, as: "click" });
  }
  return { sent: count, selected, clicked, missed };
}

/** False for a capture that fails because the selector finds nothing. */
function isFound(work: Promise<boolean>): Promise<boolean> {
  return work.catch((error) => {
    if (error instanceof ApiError) return false;
    throw error;
  });
}

/** Whether the picture of the element that the selector finds has the size of the element it came from, as far as it is on the page. */
async function isSelected(capture: CapturePage<Capture>, page: PageOptions, { selector, box }: PageElement) {
  const { metadata } = await capture({ ...page, selector, metadata_image_size: true });
  const { width = 0, height = 0 } = metadata.image_size ?? {};
  const [hiddenLeft, hiddenTop] = [Math.max(0, -box.x), Math.max(0, -box.y)];
  return isNear(width, box.width - hiddenLeft) && isNear(height, box.height - hiddenTop);
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE;

const CLICKED = "the element";

/** Whether a click by the selector hits the element it came from, or something in it. */
async function isClicked(capture: CapturePage<Capture>, page: PageOptions, { selector, box }: PageElement) {
  const options = { format: "json", click: [selector], scripts: reportClick(box), metadata_page_title: true };
  const { body } = await capture({ ...page, ...options });
  return JSON.parse(body.toString()).page_title === CLICKED;
}

/**
 * A script that tells by the title of the page whether a click has hit an element with this box, in CSS pixels of the page before
 * anything was scrolled.
 */
function reportClick(box: Area): string {
  return `addEventListener("click", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const expected = ${JSON.stringify([box.x, box.y, box.width, box.height])};
    const path = event.composedPath().filter((node) => node instanceof Element);
    const isExpected = (node, index) => {
      let { x, y, width, height } = node.getBoundingClientRect();
      for (const { scrollLeft, scrollTop } of path.slice(index + 1)) [x, y] = [x + scrollLeft, y + scrollTop];
      return [x, y, width, height].every((side, each) => Math.abs(side - expected[each]) <= ${TOLERANCE});
    };
    document.title = path.some(isExpected) ? ${JSON.stringify(CLICKED)} : "another one";
  }, true);`;
}
