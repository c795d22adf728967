// Visits the scenes of a page: a window for each look of one that the picture shows.
import type { Area } from "../geometry/area.ts";
import { differences } from "./compare.ts";
import {
  type CollapsedScene,
  findScenes,
  isPassed,
  keepStages,
  middleOf,
  type Scene,
  type ScenesShown,
  stagesOf,
  windowsOf,
} from "./scenes.ts";
import type { VisitWindows } from "./visit-windows.ts";
import type { WindowComparison } from "./window-comparison.ts";

/** Visits what is shown of the scenes that stay in the window while the page is scrolled. Returns those that are shown once. */
export async function visitScenes(
  windows: VisitWindows,
  shown: ScenesShown,
  comparison: WindowComparison,
): Promise<CollapsedScene[]> {
  const { limit, shift, view } = windows;
  const collapsed: CollapsedScene[] = [];
  for (const scene of findScenes(windows.all, { limit, shift, view })) {
    const stages = { stages: stagesOf(scene, view), once: [middleOf(scene)], as_is: [scene.start] };
    for (const stage of stages[shown]) await visitStage(windows, stage);
    if (shown === "as_is") continue;
    if (windows.panes.length > 1 || isPassed(windows.all, scene)) continue;
    const isStill = await looksSame(windows, scene, comparison);
    if (isStill || shown === "once") collapsed.push({ scene, isStill });
    else windows.keep(keepStages(windows.all, scene, view));
  }
  return collapsed;
}

async function visitStage(windows: VisitWindows, offset: number): Promise<void> {
  const isNew = windows.all.every((window) => Math.abs(window.offset - offset) >= 3);
  if (isNew && offset > windows.first && offset < windows.limit) await windows.take(offset, { isStage: true });
}

/** True for a scene that looks the same in all of its windows. */
async function looksSame({ all }: VisitWindows, scene: Scene, comparison: WindowComparison): Promise<boolean> {
  const [first, ...others] = windowsOf(all, scene);
  if (!first || others.length === 0) return false;
  const { scale } = comparison;
  const one = await comparison.pixels(first.image);
  const y = Math.max(0, Math.round(scene.top * scale));
  const box = { x: 0, y, width: one.width, height: Math.min(Math.floor(scene.height * scale), one.height - y) };
  for (const each of others) {
    const other = await comparison.pixels(each.image);
    if (differences(one, other, { box, shift: 0 }).some((share) => share > 0)) return false;
  }
  return true;
}

/** The boxes of scenes that play and are shown once, in CSS pixels of the picture. */
export function boxesOfPlaying(collapsed: readonly CollapsedScene[]): Area[] {
  return collapsed
    .filter(({ isStill }) => !isStill)
    .map(({ scene: { start, top, height, width } }) => {
      const removed = heightOf(collapsed.filter(({ scene }) => scene.start < start));
      return { x: 0, y: start + top - removed, width, height };
    });
}

/** How much of the height of the page scenes take that the picture shows once. */
export function heightOf(collapsed: readonly CollapsedScene[]): number {
  return collapsed.reduce((sum, { scene }) => sum + scene.end - scene.start, 0);
}
