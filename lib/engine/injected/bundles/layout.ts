/// <reference lib="dom" />
// Functions for captures that scroll, select elements or change the page, called in the page's isolated world.
import * as elements from "../elements.ts";
import * as fixedBackgrounds from "../fixed-backgrounds.ts";
import * as fixedElements from "../fixed-elements.ts";
import * as inViewStyles from "../in-view-styles.ts";
import * as recording from "../recording.ts";
import * as referenceView from "../reference-view.ts";
import * as scrollPosition from "../scroll-position.ts";
import * as scrollThrough from "../scroll-through.ts";
import * as still from "../still.ts";
import * as styles from "../styles.ts";
import * as virtualized from "../virtualized.ts";
import * as wholePage from "../whole-page.ts";

export const functions: typeof elements &
  typeof fixedBackgrounds &
  typeof fixedElements &
  typeof inViewStyles &
  typeof recording &
  typeof referenceView &
  typeof scrollPosition &
  typeof scrollThrough &
  typeof still &
  typeof styles &
  typeof virtualized &
  typeof wholePage = {
  ...elements,
  ...fixedBackgrounds,
  ...fixedElements,
  ...inViewStyles,
  ...recording,
  ...referenceView,
  ...scrollPosition,
  ...scrollThrough,
  ...still,
  ...styles,
  ...virtualized,
  ...wholePage,
};
