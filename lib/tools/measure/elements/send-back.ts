// Sends the selectors of a list of elements back, each to a new load of the page: as `selector`, and as `click`.

import type { Area } from "../../../engine/geometry/area.ts";
import type { PageElement, PageElements } from "../../../engine/outputs/elements/page-elements.ts";
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
  readonly missed: readonly { readonly element: PageElement; readonly reason: string }[];
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
  const missed: { element: PageElement; reason: string }[] = [];
  for (const element of sample) {
    if (!element) continue;
    const outcome = await sendBack(capture, page, element);
    if (outcome.isSelected) selected++;
    if (outcome.isClicked) clicked++;
    if (!outcome.isSelected || !outcome.isClicked) missed.push({ element, reason: outcome.reason });
  }
  return { sent: count, selected, clicked, missed };
}

interface Outcome {
  readonly isSelected: boolean;
  readonly isClicked: boolean;
  readonly reason: string;
}

async function sendBack(capture: CapturePage<Capture>, page: PageOptions, element: PageElement): Promise<Outcome> {
  const { selector, box } = element;
  try {
    const { metadata } = await capture({
      ...page,
      selector,
      click: [selector],
      scripts: reportClick(box),
      metadata_page_title: true,
      metadata_image_size: true,
    });
    const { page_title: title, image_size: size } = metadata;
    const isSelected = size !== undefined && isNear(size.width, box.width) && isNear(size.height, box.height);
    const isClicked = title === CLICKED;
    return { isSelected, isClicked, reason: `${JSON.stringify(size)}, clicked: ${title}` };
  } catch (error) {
    return { isSelected: false, isClicked: false, reason: String(error) };
  }
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE;

const CLICKED = "the element";

/** A script that tells by the title of the page whether a click has hit an element with this box, in CSS pixels of the page. */
function reportClick(box: Area): string {
  return `addEventListener("click", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const expected = ${JSON.stringify([box.x, box.y, box.width, box.height])};
    const isExpected = (node) => {
      if (!(node instanceof Element)) return false;
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x + scrollX, y + scrollY, width, height].every((side, index) => Math.abs(side - expected[index]) <= ${TOLERANCE});
    };
    document.title = event.composedPath().some(isExpected) ? ${JSON.stringify(CLICKED)} : "another one";
  }, true);`;
}
