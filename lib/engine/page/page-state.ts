// Restores a page that was changed for a picture, so that another output can be captured of the same load.

import * as v from "valibot";
import type * as pageState from "../injected/page-state.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

/** Remembers the page as it is, for `restorePage`. */
export async function rememberPage(page: CapturedPage): Promise<void> {
  if (isHeld(page)) await evaluateInIsolatedWorld(page, rememberPageInPage);
}

/**
 * Takes back what a capture has changed in the page since `rememberPage`. Resolves to false when it may not be as it was: a script
 * has reacted to a change, the page's time went on meanwhile, or a frame that scrolls instead of it has another layout.
 */
export async function restorePage(page: CapturedPage): Promise<boolean> {
  if (!isHeld(page) || page.framing) return false;
  return evaluateInIsolatedWorld(page, restorePageInPage);
}

/** True for a page whose time stands still between two commands, and whose scripts are not disabled for a picture. */
const isHeld = ({ frameScheduler }: CapturedPage) => frameScheduler?.virtualTime !== undefined;

const rememberPageInPage: PageFunction<typeof pageState.rememberPage> = pageFunction("fullPage", "rememberPage");

const restorePageInPage: PageFunction<typeof pageState.restorePage> = pageFunction("fullPage", "restorePage", {
  result: v.boolean(),
});
