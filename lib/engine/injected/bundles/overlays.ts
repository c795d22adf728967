/// <reference lib="dom" />
// Functions for captures that close overlays, called in the page's isolated world.
import * as inWindow from "../dom/in-window.ts";
import * as closeOverlays from "../overlays/close-overlays.ts";
import * as restoreScroll from "../overlays/restore-scroll.ts";

export const functions: typeof closeOverlays & typeof inWindow & typeof restoreScroll = {
  ...closeOverlays,
  ...inWindow,
  ...restoreScroll,
};
