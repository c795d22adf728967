// BLANK: the page shows nothing. Images are examined after they are taken, see `check-blank`; other results by their content.
import type { Finding, ProblemRule } from "../problem-rule.ts";

export const blank: ProblemRule = {
  code: "BLANK",
  isJudged: ({ kind }) => kind !== "image",
  find({ observed }) {
    const { allWords, mainMedia, images, layers, controls, fields } = observed;
    const parts = allWords + mainMedia + images.length + layers.length + controls.length + fields.length;
    if (parts > 0) return undefined;
    return { message: "The page shows nothing.", evidence: { count: observed.elements }, fixes: [{ delay: DELAY_S }] };
  },
};

const DELAY_S = 10;

/** The finding for an image of one color. */
export function singleColorFinding(hasContent: boolean): Finding {
  const why = hasContent ? ", although the page has content" : ": the page shows nothing";
  return {
    message: `The image is of a single colour${why}.`,
    evidence: {},
    fixes: [{ delay: DELAY_S }],
    isWarned: true,
  };
}
