// Pinned scenes in a full page: each stands in it once, as it looks in its middle, without the empty space in which it plays.

import * as v from "valibot";
import type * as pinnedScenes from "../../injected/pinned-scenes.ts";
import type { PinnedScene } from "../../injected/pinned-scenes.ts";
import type { ReferenceView } from "../../injected/reference-view.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { areaSchema, pointSchema } from "../../page/result-schemas.ts";
import { scrollToOffsetInPage, scrollToTopInPage } from "../../page/scrolling.ts";
import { measureLayout, pageOrigin } from "../../page/viewport.ts";
import { passTime } from "../../rendering/page-time.ts";
import { MAX_MOVING_MS, REACTION_MS, STILL_MS } from "../../timing/scroll-waits.ts";
import { captureArea, type ScaledPage, TILE_SETTINGS } from "./screenshot.ts";
import type { Part } from "./sections.ts";

/** A scene that stands in the page once, and its picture. */
export interface CollapsedScene extends PinnedScene {
  /** Its number, as page scripts count. */
  readonly number: number;
  readonly image: Buffer;
  /** What the picture shows, in CSS pixels of the scene. */
  readonly shown: Part["area"];
}

/** The longest wait for elements that fade out when the page is back at its top, in milliseconds. */
const MAX_FADE_MS = 500;

/**
 * Captures each scene in its middle, and removes the space in which it plays, where that does no harm. The page must be at its
 * top. Virtual time only: otherwise it is not known which elements are pinned.
 */
export async function collapsePinnedScenes(page: ScaledPage): Promise<CollapsedScene[]> {
  const virtual = page.frameScheduler?.virtualTime;
  if (!virtual || page.scale !== page.window.scale) return [];
  const scenes = await evaluateInIsolatedWorld(page, findPinnedScenes);
  if (scenes.length === 0) return [];
  const captured: CollapsedScene[] = [];
  for (const [number, scene] of scenes.entries()) {
    await evaluateInIsolatedWorld(page, scrollToOffsetInPage, scene.middle);
    const arrivedAt = virtual.now;
    await passTime(page, REACTION_MS);
    await virtual.passUntilStill(MAX_MOVING_MS, STILL_MS, arrivedAt);
    const shown = await evaluateInIsolatedWorld(page, showSceneAlone, number);
    if (shown) {
      const { width, height } = shown.area;
      const image = await captureArea(page, shown.area, TILE_SETTINGS);
      captured.push({ ...scene, number, image, shown: { ...shown.offset, width, height } });
    }
    await evaluateInIsolatedWorld(page, showAll);
  }
  await evaluateInIsolatedWorld(page, scrollToTopInPage, MAX_FADE_MS);
  const collapsed = new Set(await evaluateInIsolatedWorld(page, collapseScenes));
  return captured.filter(({ number }) => collapsed.has(number));
}

/** The pictures of the scenes, where these are on the page now. */
export async function sceneParts(page: ScaledPage, scenes: readonly CollapsedScene[]): Promise<Part[]> {
  if (scenes.length === 0) return [];
  const areas = await evaluateInIsolatedWorld(page, sceneAreas);
  const origin = pageOrigin((await measureLayout(page)).metrics);
  return scenes.flatMap(({ number, image, shown }) => {
    const area = areas[number];
    return area ? [{ image, area: { ...shown, x: area.x + origin + shown.x, y: area.y + shown.y } }] : [];
  });
}

/** A reference view on a page without the space of its scenes; undefined for one that shows a scene or its space. */
export function withoutScenes(view: ReferenceView, scenes: readonly PinnedScene[]): ReferenceView | undefined {
  const { top, height } = view;
  if (scenes.some((scene) => top < scene.end && top + height > scene.top)) return undefined;
  const removed = scenes.filter(({ end }) => end <= top).reduce((sum, { space }) => sum + space, 0);
  return { ...view, top: top - removed };
}

const collapseScenes: PageFunction<typeof pinnedScenes.collapseScenes> = pageFunction("fullPage", "collapseScenes", {
  result: v.array(v.number()),
});

const findPinnedScenes: PageFunction<typeof pinnedScenes.findPinnedScenes> = pageFunction(
  "fullPage",
  "findPinnedScenes",
  { result: v.array(v.object({ top: v.number(), end: v.number(), space: v.number(), middle: v.number() })) },
);

const sceneAreas: PageFunction<typeof pinnedScenes.sceneAreas> = pageFunction("fullPage", "sceneAreas", {
  result: v.array(areaSchema),
});

const showAll: PageFunction<typeof pinnedScenes.showAll> = pageFunction("fullPage", "showAll");

const showSceneAlone: PageFunction<typeof pinnedScenes.showSceneAlone> = pageFunction("fullPage", "showSceneAlone", {
  result: v.nullable(v.object({ area: areaSchema, offset: pointSchema })),
});
