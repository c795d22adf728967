/// <reference lib="dom" />
// The functions that most captures call in the page's isolated world.
import * as animations from "../animations.ts";
import * as blankImage from "../blank-image.ts";
import * as botChallenge from "../bot-challenge.ts";
import * as canvases from "../canvases.ts";
import * as elements from "../elements.ts";
import * as fixedBackgrounds from "../fixed-backgrounds.ts";
import * as fixedElements from "../fixed-elements.ts";
import * as frames from "../frames.ts";
import * as loading from "../loading.ts";
import * as missingGlyphs from "../missing-glyphs.ts";
import * as recording from "../recording.ts";
import * as scrollPosition from "../scroll-position.ts";
import * as scrollThrough from "../scroll-through.ts";
import * as styles from "../styles.ts";
import * as timers from "../timers.ts";
import * as virtualized from "../virtualized.ts";
import * as wholePage from "../whole-page.ts";

export const functions: typeof animations &
  typeof blankImage &
  typeof botChallenge &
  typeof canvases &
  typeof elements &
  typeof fixedBackgrounds &
  typeof fixedElements &
  typeof frames &
  typeof loading &
  typeof missingGlyphs &
  typeof recording &
  typeof scrollPosition &
  typeof scrollThrough &
  typeof styles &
  typeof timers &
  typeof virtualized &
  typeof wholePage = {
  ...animations,
  ...blankImage,
  ...botChallenge,
  ...canvases,
  ...elements,
  ...fixedBackgrounds,
  ...fixedElements,
  ...frames,
  ...loading,
  ...missingGlyphs,
  ...recording,
  ...scrollPosition,
  ...scrollThrough,
  ...styles,
  ...timers,
  ...virtualized,
  ...wholePage,
};
