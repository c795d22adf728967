// The warning for scenes with several looks: a full page shows one of them.
import type { Area } from "../geometry/area.ts";

/** Scenes that it names. */
const MAX_NAMED = 5;

export function describeScenesShownOnce(scenes: readonly Area[]): string {
  const named = scenes
    .slice(0, MAX_NAMED)
    .map(({ x, y, width, height }) => `${width} × ${height} pixels at ${x}, ${y}`);
  const others = scenes.length - named.length;
  return (
    "Scenes that stay in the window while the page scrolls are in the capture once, as they look halfway: " +
    `${named.join("; ")}${others > 0 ? `; and ${others} more` : ""}. Set full_page_pinned=stages for a picture of each stage.`
  );
}
