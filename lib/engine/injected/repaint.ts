/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Makes Chromium paint the content of scrollers and frames that have grown.
import { Journal } from "./changes/journal.ts";
import { expandedScrollers, isFixedToWindow } from "./dom/fixed-position.ts";
import { knownPageFrames } from "./dom/page-frames.ts";
import { openRoots, queryAllRoots } from "./dom/shadow-roots.ts";
import { contains } from "./dom/tree.ts";
import { nextFrame } from "./frames.ts";

/**
 * Makes Chromium paint all of what has grown. Otherwise it leaves out content that was outside of a scroller before, because it
 * keeps the rectangles to which it limits the painting of each layer. It computes them again when an element gets a transform; or,
 * for most content, another effect, where a transform would move fixed elements in it.
 */
export async function repaint(): Promise<void> {
  const fixed = queryAllRoots<Element>("*").filter(
    (element) => getComputedStyle(element).position === "fixed" && isFixedToWindow(element),
  );
  const grown = [...expandedScrollers(), ...knownPageFrames(openRoots())];
  for (const elements of [grown, [document.documentElement]]) {
    const journal = new Journal();
    for (const element of elements) {
      const hasFixed = fixed.some((each) => contains(element, each));
      journal.setStyle(element, { "will-change": hasFixed ? "opacity" : "transform" });
    }
    await nextFrame();
    journal.revert();
  }
}
