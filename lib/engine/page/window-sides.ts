// The sides at which a page ends with its window.
import * as v from "valibot";
import type * as windowSides from "../injected/dom/window-sides.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const sidesOfWindowInPage: PageFunction<typeof windowSides.sidesOfWindow> = pageFunction(
  "fullPage",
  "sidesOfWindow",
  { result: v.object({ right: v.boolean(), bottom: v.boolean() }) },
);
