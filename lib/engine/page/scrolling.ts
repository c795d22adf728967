// Scrolls the window of a page, or the element that scrolls in its place.

import * as v from "valibot";
import type * as recording from "../injected/recording.ts";
import type * as scrollPage from "../injected/scroll-page.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const scrollExtentInPage: PageFunction<typeof recording.scrollExtent> = pageFunction("layout", "scrollExtent", {
  result: v.number(),
});

export const scrollToOffsetInPage: PageFunction<typeof scrollPage.scrollToOffset> = pageFunction(
  "fullPage",
  "scrollToOffset",
  { waitsFor: "frames" },
);

export const announceScrollInPage: PageFunction<typeof scrollPage.announceScroll> = pageFunction(
  "fullPage",
  "announceScroll",
);
