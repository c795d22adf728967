// Finds out whether a page hears of its scrolling, without changing it: one that does not looks the same at every scroll position, and is
// painted at once.
import * as v from "valibot";

import type { CapturedPage } from "../page/captured-page.ts";
import { openClosedRoots } from "../page/closed-roots.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { readMovementInPage } from "../page/stillness.ts";
import type * as inPage from "./scroll-dependence.page.ts";

/** Events by which a script hears of scrolling. */
const EVENTS = /^(?:scroll|scrollend|wheel|mousewheel|touch(?:start|move|end))$/;

/** Where such events arrive. */
const TARGETS = ["window", "document", "document.documentElement", "document.body"];

/** True when what the page shows may depend on where it is scrolled to. */
export async function dependsOnScrolling(page: CapturedPage): Promise<boolean> {
  const { ofStyles, hasScripts, fitsWindow } = await evaluateInIsolatedWorld(page, readScrollDependence);
  if (ofStyles || (fitsWindow && (await openClosedRoots(page)) > 0)) return true;
  if (!hasScripts || page.isJavaScriptDisabled) return false;
  if (await listensToScrolling(page)) return true;
  const { requestsFrames } = await evaluateInIsolatedWorld(page, readMovementInPage);
  return requestsFrames || (await hasObservers(page)); // the last, since it collects garbage
}

async function listensToScrolling({ session: { cdp } }: CapturedPage): Promise<boolean> {
  for (const expression of TARGETS) {
    const { result } = await cdp.send("Runtime.evaluate", { expression });
    if (result.objectId === undefined) continue;
    const { listeners } = await cdp.send("DOMDebugger.getEventListeners", { objectId: result.objectId });
    await cdp.send("Runtime.releaseObject", { objectId: result.objectId });
    if (listeners.some(({ type }) => EVENTS.test(type))) return true;
  }
  return false;
}

async function hasObservers({ session: { cdp } }: CapturedPage): Promise<boolean> {
  const { result } = await cdp.send("Runtime.evaluate", { expression: "IntersectionObserver.prototype" });
  if (result.objectId === undefined) return true; // the page has taken it away
  const { objects } = await cdp.send("Runtime.queryObjects", { prototypeObjectId: result.objectId });
  const { objectId } = objects;
  if (objectId === undefined) return true;
  const functionDeclaration = "function () { return this.length }";
  const count = await cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration, returnByValue: true });
  for (const each of [objectId, result.objectId]) await cdp.send("Runtime.releaseObject", { objectId: each });
  return count.result.value !== 0;
}

const readScrollDependence: PageFunction<typeof inPage.readScrollDependence> = pageFunction(
  "visit",
  "readScrollDependence",
  { result: v.object({ ofStyles: v.boolean(), hasScripts: v.boolean(), fitsWindow: v.boolean() }) },
);
