// CUT_OFF: content is cut off by an element that scrolls, by a box of a fixed height, or by the maximum height of the image.
import { MAX_PAGE_PIXELS } from "../../../contract/options/groups/area.ts";
import { type Finding, type JudgedPage, type ProblemRule, quoted, rectangle, shareIn } from "../problem-rule.ts";

/** Words that cannot be seen, from which on a text is cut; teasers of cards are shorter. */
const MIN_WORDS = 25;
/** So many boxes of one kind, each of which hides fewer words, are teasers. */
const TEASERS = { count: 3, words: 80 };
const MIN_WORDS_ACROSS = 3;
/** A pane that scrolls hides entries of a list, or pictures: they count by their height, too, a part of the window. */
const MIN_WORDS_OF_PANE = 8;
const MIN_PANE_SHARE = 0.15;
const MIN_PIXELS_SHARE = 0.125;

export const cutOff: ProblemRule = {
  code: "CUT_OFF",
  isJudged: ({ kind, isWhole, options }) =>
    kind !== "document" && kind !== "video" && (isWhole || options.selector !== undefined),
  find: cutByElement,
};

/** The finding for a page that is taller than `full_page_max_height`: `shown` is what the image shows of its height. */
export function maxHeightFinding(height: number, shown: number, width: number): Finding {
  return {
    message: `The page is ${height} pixels tall; the image ends at ${shown} pixels.`,
    evidence: { rectangle: rectangle({ x: 0, y: shown, width, height: height - shown }) },
    fixes: [{ full_page_max_height: Math.min(MAX_PAGE_PIXELS, Math.ceil(height)) }],
    isWarned: true,
  };
}

function cutByElement(page: JudgedPage): Finding | undefined {
  const { observed, area, options } = page;
  const minPixels = MIN_PIXELS_SHARE * observed.window.height;
  const similar = Map.groupBy(
    observed.cuts,
    ({ selector, direction, area }) => `${selector} ${direction} ${area.width}`,
  );
  const cuts = observed.cuts.filter((cut) => {
    if (shareIn(cut.area, area) < 0.3) return false;
    // Cards in a list show the first lines of a text on purpose.
    const alike = similar.get(`${cut.selector} ${cut.direction} ${cut.area.width}`)?.length ?? 0;
    if (!cut.canScroll && alike >= TEASERS.count && cut.hiddenWords < TEASERS.words) return false;
    const isWide = cut.area.width >= MIN_PANE_SHARE * Math.min(area.width, observed.window.width);
    const isPane = cut.canScroll && cut.direction === "down" && isWide && cut.hiddenPixels >= minPixels;
    const minWords = cut.direction === "across" ? MIN_WORDS_ACROSS : isPane ? MIN_WORDS_OF_PANE : MIN_WORDS;
    return cut.hiddenWords >= minWords || (isPane && cut.hiddenPixels >= 2 * minPixels);
  });
  const worst = cuts.toSorted(
    (one, other) => other.hiddenWords - one.hiddenWords || other.hiddenPixels - one.hiddenPixels,
  )[0];
  if (!worst) return undefined;
  const expands =
    options.full_page && options.full_page_expand_overflow === false ? [{ full_page_expand_overflow: true }] : [];
  const { uniqueSelector } = worst;
  const opens = worst.direction === "down" && uniqueSelector ? [{ styles: [expandingStyle(uniqueSelector)] }] : [];
  return {
    message: `'${worst.selector}' cuts its content off: about ${worst.hiddenWords} words, ${Math.round(worst.hiddenPixels)} pixels${worst.text ? `, from ${quoted(worst.text)} on` : ""}. Let it grow with 'styles'.`,
    evidence: {
      selector: worst.selector,
      count: cuts.length,
      rectangle: rectangle(worst.area),
      ...(worst.text && { text: worst.text }),
    },
    fixes: [...expands, ...(options.styles ? [] : opens)],
  };
}

/** Lets an element grow to the height of its content. */
function expandingStyle(selector: string): string {
  return `${selector} { height: auto !important; max-height: none !important; overflow: visible !important; -webkit-line-clamp: none !important; }`;
}
