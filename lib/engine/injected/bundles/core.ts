/// <reference lib="dom" />
// The functions that every capture calls in the page's isolated world: small, since each document parses them.
import * as animations from "../animations.ts";
import * as blankImage from "../blank-image.ts";
import * as botChallenge from "../bot-challenge.ts";
import * as canvases from "../canvases.ts";
import * as frameCommits from "../frame-commits.ts";
import * as frames from "../frames.ts";
import * as loading from "../loading.ts";
import * as missingGlyphs from "../missing-glyphs.ts";
import * as scriptChanges from "../script-changes.ts";
import * as timers from "../timers.ts";

export const functions: typeof animations &
  typeof blankImage &
  typeof botChallenge &
  typeof canvases &
  typeof frameCommits &
  typeof frames &
  typeof loading &
  typeof missingGlyphs &
  typeof scriptChanges &
  typeof timers = {
  ...animations,
  ...blankImage,
  ...botChallenge,
  ...canvases,
  ...frameCommits,
  ...frames,
  ...loading,
  ...missingGlyphs,
  ...scriptChanges,
  ...timers,
};
