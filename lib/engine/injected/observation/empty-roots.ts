/// <reference lib="dom" />
// Finds the elements that the page's scripts should have filled, and that show nothing.
import { colourAlpha } from "../dom/appearance.ts";
import { readProperty } from "../dom/read-property.ts";
import { areaWindowShare, type SeenElement } from "./walk.ts";

/** Where frameworks render applications. */
const ROOTS =
  "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, #mount, #main-app, #app-root, #react-root, #application, #vue-app, #ember-app, app-root, [data-reactroot], [ng-version], [ng-app], [data-v-app], [data-app], [id$=-root], [id$=-app], [id^=app-], [id^=root-]";

/** Any other element is a root where it leaves this share of the window empty. */
const MIN_SHARE = 0.2;

/** Those of frameworks first, then large empty parts of the page; inner ones before outer ones. */
export function readEmptyRoots(seen: readonly SeenElement[]): SeenElement[] {
  /** Elements that contain something painted. */
  const painted = new Set<SeenElement>();
  for (const each of seen) {
    if (!each.shown || !each.isVisible || !isPainted(each)) continue;
    for (let around = each.parent; around && !painted.has(around); around = around.parent) painted.add(around);
  }
  const isBare = (each: SeenElement) => !painted.has(each) && (!isPainted(each) || isContainer(each));
  const empty = seen.filter(
    (each) => each.parent && each.words === 0 && each.replaced === 0 && !each.isEdge && !each.layer && isFillable(each),
  );
  const named = empty.filter(({ element }) => element.matches(ROOTS));
  // What lies above other content, such as the layers of an editor, leaves nothing empty.
  const inFlow = empty.filter(({ position }) => position !== "absolute" && position !== "fixed");
  const large = inFlow.filter((each) => isBare(each) && each.shown && areaWindowShare(each.shown) >= MIN_SHARE);
  const containers = inFlow.filter((each) => !painted.has(each) && isContainer(each));
  return [...new Set([...named, ...large.toReversed(), ...containers])];
}

/** False for drawings, controls, and what has no content by its nature. */
function isFillable({ element }: SeenElement): boolean {
  return (
    element instanceof HTMLElement &&
    element.closest("button, a, [role=button], label, svg") === null &&
    !element.matches("hr, br, wbr, input, select, textarea, meter, progress, img, picture, video, audio, col, colgroup")
  );
}

/** True for an element without content that a script can find: by its id, or as its own element. */
function isContainer({ element, display }: SeenElement): boolean {
  if (readProperty(Element.prototype, "childElementCount", element) > 0 || display.startsWith("inline")) return false;
  return (
    element.id !== "" ||
    element.localName.includes("-") ||
    element.localName === "main" ||
    element.getAttributeNames().some((name) => name.startsWith("data-"))
  );
}

function isPainted({ style }: SeenElement): boolean {
  return (
    colourAlpha(style.backgroundColor) > 0.02 ||
    style.backgroundImage !== "none" ||
    style.boxShadow !== "none" ||
    (style.borderBottomStyle !== "none" && Number.parseFloat(style.borderBottomWidth) > 0)
  );
}
