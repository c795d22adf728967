// Content that a page removes again once it is far from the window.
import * as v from "valibot";
import type * as discardedContent from "../injected/discarded-content.ts";
import type { CapturedPage } from "./captured-page.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export function warnOfDiscardedViews({ warnings }: CapturedPage): void {
  warnings.push(
    "The page removes content that is far from its window (a virtualized list), " +
      "so that parts of the capture are blank. Capture an image with full_page=true.",
  );
}

export const countDiscardedViews: PageFunction<typeof discardedContent.countDiscardedViews> = pageFunction(
  "fullPage",
  "countDiscardedViews",
  { result: v.number() },
);

export const countDiscardedPictures: PageFunction<typeof discardedContent.countDiscardedPictures> = pageFunction(
  "fullPage",
  "countDiscardedPictures",
  { result: v.number() },
);
