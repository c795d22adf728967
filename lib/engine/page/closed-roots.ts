// Opens closed shadow roots to the scripts of a visit, which cannot find them by themselves: applications scroll in some of them.
import type { CDPSession, Protocol } from "puppeteer-core";
import type * as shadowRoots from "../injected/dom/shadow-roots.ts";
import type { CapturedPage } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import { callIsolatedOnNode } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

const MAX_ROOTS = 500;

/** Opens the closed roots of the page. Returns their number. */
export async function openClosedRoots({ session: { cdp } }: CapturedPage): Promise<number> {
  try {
    const roots = (await findClosedRoots(cdp)).slice(0, MAX_ROOTS);
    for (const root of roots) await callIsolatedOnNode(cdp, openClosedRoot, root);
    return roots.length;
  } catch (error) {
    if (isContextLost(error)) return 0;
    throw error;
  }
}

/** The backend ids of closed roots, outer ones first. */
async function findClosedRoots(cdp: CDPSession): Promise<number[]> {
  const { result } = await cdp.send("Runtime.evaluate", { expression: "document" });
  const { objectId = "" } = result;
  const { node } = await cdp.send("DOM.describeNode", { objectId, depth: -1, pierce: true });
  await cdp.send("Runtime.releaseObject", { objectId });
  const found: number[] = [];
  const visit = ({ children = [], shadowRoots = [], shadowRootType, backendNodeId }: Protocol.DOM.Node): void => {
    if (shadowRootType === "closed") found.push(backendNodeId);
    for (const each of [...shadowRoots, ...children]) visit(each);
  };
  visit(node);
  return found;
}

const openClosedRoot: PageFunction<typeof shadowRoots.openClosedRoot> = pageFunction("visit", "openClosedRoot");
