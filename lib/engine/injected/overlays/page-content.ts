/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Weighs the content of a document outside of some elements, to tell an overlay from the page itself.
import { colourAlpha, ownText, viewport } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { contains, elementsIn } from "../dom/tree.ts";

interface Part {
  readonly element: Element;
  /** One point per character; more for media, fields, and boxes with a colour of their own. */
  readonly weight: number;
  /** True in headers, footers and navigation. */
  readonly isEdge: boolean;
}

export interface ContentBeneath {
  /** The weight of all parts that are neither inside nor around the elements; headers and footers only with `edges`. */
  weightOutside(elements: readonly Element[], options: { readonly edges: boolean }): number;
  /** True for an element that overlaps parts of the page. */
  isOverlapping(element: Element): boolean;
}

const MAX_ELEMENTS = 20_000;
const MEDIA = /^(IMG|VIDEO|CANVAS|SVG|IFRAME|OBJECT|EMBED|PICTURE)$/i;
const FIELD = /^(INPUT|SELECT|TEXTAREA)$/;
const EDGES = "header, footer, nav, [role=banner], [role=contentinfo]";

export function readPageContent(document: Document): ContentBeneath {
  const body = documentBody(document);
  const backgrounds = new Set(
    [document.documentElement, body]
      .filter((element) => element !== null)
      .map((element) => getComputedStyle(element).backgroundColor),
  );
  const parts: Part[] = [];
  for (const element of body ? elementsIn(body, MAX_ELEMENTS) : []) {
    if (element === body) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const weight = ownText(element).length || boxWeight(element, backgrounds);
    if (weight > 0) parts.push({ element, weight, isEdge: element.closest(EDGES) !== null });
  }
  return {
    weightOutside(elements, { edges }) {
      let sum = 0;
      for (const { element, weight, isEdge } of parts) {
        if (isEdge && !edges) continue;
        if (elements.some((each) => contains(each, element) || contains(element, each))) continue;
        sum += weight;
      }
      return sum;
    },
    isOverlapping(box) {
      const one = box.getBoundingClientRect();
      return parts.some(({ element }) => {
        if (contains(box, element) || contains(element, box)) return false;
        const other = element.getBoundingClientRect();
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        return across > 4 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
      });
    },
  };
}

/** The weight of an element without text; 0 for one that shows nothing but the background of the page. */
function boxWeight(element: Element, backgrounds: ReadonlySet<string>): number {
  const { width, height } = element.getBoundingClientRect();
  if (width * height < 400) return 0;
  if (MEDIA.test(element.tagName)) return width * height > 2_500 ? 100 : 5;
  if (FIELD.test(element.tagName)) return 20;
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  const isBackground =
    colourAlpha(backgroundColor) < 0.95 || backgrounds.has(backgroundColor) || backgroundColor === "rgb(255, 255, 255)";
  if (isBackground && backgroundImage === "none") return 0;
  const { width: windowWidth, height: windowHeight } = viewport(element);
  return width * height > 0.05 * windowWidth * windowHeight ? 40 : 5;
}
