// The next frame of a page.

import type * as frames from "../injected/frames.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const nextFrameInPage: PageFunction<typeof frames.nextFrame> = pageFunction("core", "nextFrame", {
  waitsFor: "frames",
});
