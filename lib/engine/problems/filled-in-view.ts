// Loaders that stand for content only while they are out of view, as in virtual lists: the windows of a visit showed the content.
import * as v from "valibot";
import { nodeOf } from "../full-page/join.ts";
import type { VisitedWindow } from "../full-page/visit-windows.ts";
import { type Area, intersect } from "../geometry/area.ts";
import type * as contentsInPage from "../injected/observation/contents.ts";
import type { ObservedLoader } from "../injected/observation/observe-page.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";

const readContents: PageFunction<typeof contentsInPage.readContents> = pageFunction("visit", "readContents", {
  result: v.array(v.object({ texts: v.array(v.string()), pictures: v.number() })),
});

/** The loaders that stay: no window showed content in their place. The page is at its top, where the first window shows its loaders itself. */
export async function withoutFilledInView(
  page: CapturedPage,
  windows: readonly VisitedWindow[],
  loaders: readonly ObservedLoader[],
): Promise<ObservedLoader[]> {
  const below = loaders.filter(({ area }) => area.y >= page.window.height);
  if (below.length === 0) return [...loaders];
  const contents = await evaluateInIsolatedWorld(
    page,
    readContents,
    below.map(({ region }) => region),
  );
  const filled = below.filter(({ region }, index) => {
    const now = contents[index];
    return now !== undefined && windows.some((window) => hasMoreIn(window, region, now));
  });
  return loaders.filter((loader) => !filled.includes(loader));
}

/** True where a window showed texts or pictures in a region of the page that it does not contain now. */
function hasMoreIn({ items, offset }: VisitedWindow, region: Area, now: contentsInPage.Contents): boolean {
  const shown = items.filter(({ x, y, width, height }) =>
    intersect({ x: x + width / 2, y: y + offset + height / 2, width: 1, height: 1 }, region),
  );
  const known = new Set(now.texts.map(lettersOf));
  const hasOtherText = shown.some(({ kind, id }) => kind === "text" && !known.has(lettersOf(textOf(id))));
  const pictures = new Set(shown.filter(({ kind }) => kind === "picture").map(({ id }) => nodeOf(id)));
  return hasOtherText || pictures.size > now.pictures;
}

/** A loading message may count, or move its dots. */
function lettersOf(text: string): string {
  return text.slice(0, MAX_COMPARED).replace(/[^\p{L}]+/gu, "");
}

/** Characters of a text that its items have. */
const MAX_COMPARED = 40;

/** The text of an item, whose id is the numbers of its document, node, and line, and the text. */
function textOf(id: string): string {
  return id.split(" ").slice(3).join(" ");
}
