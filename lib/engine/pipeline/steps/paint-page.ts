// Paints a page at once that hears nothing of its scrolling, or that could not be visited in time.
import type { ImageSettings } from "../../formats/screenshot/image-settings.ts";
import type { CapturingPage, Output } from "../capture-state.ts";
import { expandScroller } from "./expand-scroller.ts";
import { neutraliseFixedElements } from "./neutralise-fixed.ts";
import { screenshot } from "./screenshot.ts";
import { selectFullPage } from "./select-full-page.ts";

export interface PagePainting {
  readonly image: ImageSettings;
  /** In CSS pixels. */
  readonly maxHeight: number;
  /** True where elements that scroll in place of the page are laid out in full height. */
  readonly expandsPanes: boolean;
  /** True where fixed elements keep the place that they have at the top of the page. */
  readonly freezesFixed: boolean;
}

export async function paintPage(
  page: CapturingPage,
  { image, maxHeight, expandsPanes, freezesFixed }: PagePainting,
): Promise<Partial<Output>> {
  const mayChange = !page.ignoresScrolling;
  const steps = [
    ...(mayChange && expandsPanes ? [expandScroller()] : []),
    ...(mayChange && freezesFixed ? [neutraliseFixedElements()] : []),
    selectFullPage({ maxHeight }),
    screenshot({ image }),
  ];
  let output: Partial<Output> = {};
  for (const step of steps) output = { ...output, ...(await step.run({ ...page, ...output })) };
  return output;
}
