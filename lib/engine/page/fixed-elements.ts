// Keeps fixed and sticky elements at their place on the page.

import * as v from "valibot";
import type * as fixedElements from "../injected/fixed-elements.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const neutraliseFixedInPage: PageFunction<typeof fixedElements.neutraliseFixed> = pageFunction(
  "fullPage",
  "neutraliseFixed",
  { result: v.object({ refused: v.array(v.string()), isSampled: v.boolean() }) },
);

export const offsetFixedInPage: PageFunction<typeof fixedElements.offsetFixed> = pageFunction(
  "fullPage",
  "offsetFixed",
);

export const rememberFixedPositionsInPage: PageFunction<typeof fixedElements.rememberFixedPositions> = pageFunction(
  "fullPage",
  "rememberFixedPositions",
);
