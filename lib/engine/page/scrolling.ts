// Scrolls the window of a page, or the element that scrolls in its place.

import * as v from "valibot";
import type * as recording from "../injected/recording.ts";
import type * as scrollThrough from "../injected/scroll-through.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const scrollByStepInPage: PageFunction<typeof scrollThrough.scrollByStep> = pageFunction(
  "fullPage",
  "scrollByStep",
  {
    waitsFor: "frames",
    result: v.object({
      moved: v.boolean(),
      position: v.number(),
      height: v.number(),
      canGrow: v.boolean(),
      hasFrames: v.boolean(),
      showsPlaceholder: v.boolean(),
    }),
  },
);

export const scrollExtentInPage: PageFunction<typeof recording.scrollExtent> = pageFunction("layout", "scrollExtent", {
  result: v.number(),
});

export const scrollToOffsetInPage: PageFunction<typeof scrollThrough.scrollToOffset> = pageFunction(
  "fullPage",
  "scrollToOffset",
  { waitsFor: "frames" },
);

export const scrollToTopInPage: PageFunction<typeof scrollThrough.scrollToTop> = pageFunction(
  "fullPage",
  "scrollToTop",
  {
    waitsFor: "frames",
  },
);
