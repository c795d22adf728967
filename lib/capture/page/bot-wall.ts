// Pages that stand before the page that was asked for: challenges and refusals of bot walls.
import type { Capturing } from "../capturing.ts";

/** The name of the wall that the window shows instead of the page; undefined where there is none. */
export async function botWallOf(_capturing: Capturing): Promise<string | undefined> {
  return undefined;
}
