/// <reference lib="dom" />
// Functions for captures that select elements, scroll to them or change the page, called in the page's isolated world.
import * as clickEffect from "../click-effect.ts";
import * as elements from "../elements.ts";
import * as recording from "../recording.ts";
import * as scrollPosition from "../scroll-position.ts";
import * as still from "../still.ts";
import * as styles from "../styles.ts";

export const functions: typeof clickEffect &
  typeof elements &
  typeof recording &
  typeof scrollPosition &
  typeof still &
  typeof styles = {
  ...clickEffect,
  ...elements,
  ...recording,
  ...scrollPosition,
  ...still,
  ...styles,
};
