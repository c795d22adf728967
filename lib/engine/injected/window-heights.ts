/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Keeps lengths that depend on the window's height, such as those in `vh`, while the window gets another height.
import { queryAllRoots } from "./dom/shadow-roots.ts";

const SIZES =
  "height min-height max-height flex-basis grid-template-rows grid-auto-rows row-gap font-size line-height".split(" ");
const NAMES = [...SIZES, "padding-top", "padding-bottom", "margin-top", "margin-bottom", "top"];

/**
 * Records lengths that may depend on the window's height, of no more than `limit` elements. Returns a function that resets those
 * that have changed since, in a window of another height.
 */
export function recordWindowHeights(limit: number): () => void {
  const elements = queryAllRoots("*").slice(0, limit);
  const lengthsOf = (element: HTMLElement) => {
    const computed = element.computedStyleMap();
    return NAMES.map((name) => String(computed.get(name)));
  };
  // The computed value of a percentage stays the same in every window: set the length it resolves to.
  const { style } = document.documentElement;
  const computed = document.documentElement.computedStyleMap();
  for (const name of ["height", "min-height"]) {
    const share = /^([\d.]+)%$/.exec(String(computed.get(name)));
    if (share) style.setProperty(name, `${(Number(share[1]) / 100) * window.innerHeight}px`, "important");
  }
  const before = elements.map((element) => [element, lengthsOf(element)] as const);
  return () => {
    const changed = before.map(([element, then]) => [element, then, lengthsOf(element)] as const);
    for (const [element, then, now] of changed) {
      for (const [index, name] of NAMES.entries()) {
        if (then[index] !== now[index]) element.style.setProperty(name, then[index] ?? "", "important");
      }
    }
  };
}
