/// <reference lib="dom" />
// Reads what parts of the page contain as it is now, whether a window shows them or not.
import { type Area, intersect } from "../../geometry/area.ts";
import { openRoots, queryAllRoots } from "../dom/shadow-roots.ts";

export interface Contents {
  readonly texts: readonly string[];
  readonly pictures: number;
}

/** Texts of a part that are returned. */
const MAX_TEXTS = 200;

/** `parts` are in CSS pixels of the page. */
export function readContents(parts: readonly Area[]): Contents[] {
  const texts = openRoots().flatMap(readTexts);
  const pictures = queryAllRoots<Element>("img, video, canvas, svg, iframe, object").map((each) =>
    toArea(each.getBoundingClientRect()),
  );
  return parts.map((part) => ({
    texts: texts.flatMap(({ area, text }) => (intersect(area, part) ? text : [])).slice(0, MAX_TEXTS),
    pictures: pictures.filter((area) => intersect(area, part)).length,
  }));
}

function readTexts(root: Node): { area: Area; text: string }[] {
  const found: { area: Area; text: string }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node as Text).data.trim();
    if (text === "") continue;
    range.selectNodeContents(node);
    found.push({ area: toArea(range.getBoundingClientRect()), text });
  }
  return found;
}

function toArea({ left, top, width, height }: DOMRect): Area {
  return { x: left + scrollX, y: top + scrollY, width, height };
}
