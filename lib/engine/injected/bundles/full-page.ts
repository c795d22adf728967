/// <reference lib="dom" />
// Functions for captures of more than the window, called in the page's isolated world.
import * as fixedBackgrounds from "../fixed-backgrounds.ts";
import * as fixedElements from "../fixed-elements.ts";
import * as inViewStyles from "../in-view-styles.ts";
import * as pageFrames from "../page-frames.ts";
import * as pinnedScenes from "../pinned-scenes.ts";
import * as referenceView from "../reference-view.ts";
import * as scrollThrough from "../scroll-through.ts";
import * as virtualized from "../virtualized.ts";
import * as wholePage from "../whole-page.ts";

export const functions: typeof fixedBackgrounds &
  typeof fixedElements &
  typeof inViewStyles &
  typeof pageFrames &
  typeof pinnedScenes &
  typeof referenceView &
  typeof scrollThrough &
  typeof virtualized &
  typeof wholePage = {
  ...fixedBackgrounds,
  ...fixedElements,
  ...inViewStyles,
  ...pageFrames,
  ...pinnedScenes,
  ...referenceView,
  ...scrollThrough,
  ...virtualized,
  ...wholePage,
};
