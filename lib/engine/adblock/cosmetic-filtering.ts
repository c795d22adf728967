/// <reference lib="dom" />
// Hides what filter lists name in every document of a page, from before it is painted, and the room of what was blocked.
import type { Request } from "@ghostery/adblocker";
import type { CDPSession } from "puppeteer-core";
import { type DocumentReport, type Orders, type Watching, watchDocument } from "../injected/cosmetics.ts";
import { findByProcedure } from "../injected/procedural-selectors.ts";
import { cosmeticRulesFor, cosmeticRulesForNames, genericSelectors } from "./cosmetic-rules.ts";
import { isExempt, type LoadedLists } from "./request-rules.ts";

export interface CosmeticFiltering {
  readonly lists: LoadedLists | undefined;
  /** True for the address of a request that was blocked. */
  readonly isBlocked: (url: string) => boolean;
  /** Name of a world beside that of the page, in which nothing of it can interfere; one for each call. */
  readonly world: string;
}

/** Is told the address of each document before its request is let through: its rules are there when it begins. */
export type Prepare = (url: string) => void;

/** Bounds for a page that makes elements, or frames, for ever. */
const MOST = { elements: 100_000, procedures: 100 };
const MAX_PREPARED = 200;

const ORDER = "order";

export async function applyCosmeticFilters(cdp: CDPSession, hiding: CosmeticFiltering): Promise<Prepare> {
  const { lists, world: worldName } = hiding;
  const names = { report: `report-${worldName}`, order: ORDER };
  const prepared = new Set<string>();
  cdp.on("Runtime.bindingCalled", ({ name, payload, executionContextId: contextId }) => {
    if (name !== names.report) return;
    const orders = ordersFor(hiding, JSON.parse(payload) as DocumentReport);
    if (!orders) return;
    const expression = call(orders);
    cdp.send("Runtime.evaluate", { contextId, expression, silent: true }).catch(() => undefined); // the document is gone
  });
  const watching: Watching = { names, generic: genericSelectors(lists?.engines ?? []), most: MOST };
  const source = `(${watchDocument})(${findByProcedure}, ${JSON.stringify(watching)})`;
  await Promise.all([
    cdp.send("Runtime.enable"), // else nobody is told what a binding is called with
    cdp.send("Runtime.addBinding", { name: names.report, executionContextName: worldName }),
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName, runImmediately: true }),
  ]);
  return (url) => {
    const [address = ""] = url.split("#", 1);
    if (!lists || prepared.has(address) || prepared.size >= MAX_PREPARED) return;
    prepared.add(address);
    const orders = call({ url: address, ...documentOrders(lists, address) });
    // While a page is on its way, Chromium answers nothing; it keeps this until just before the document begins.
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: orders, worldName }).catch(() => undefined);
  };
}

/** Takes away the frame whose document was blocked. */
export async function collapseFrame(cdp: CDPSession, frameId: string): Promise<void> {
  const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
  const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
  const { objectId = "" } = object;
  await cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: String(takeAway), silent: true });
  await cdp.send("Runtime.releaseObject", { objectId });
}

function takeAway(this: HTMLElement): void {
  this.style.setProperty("display", "none", "important");
}

function call(orders: Orders): string {
  return `${ORDER}(${JSON.stringify(orders)})`;
}

/** What is ordered after a report, if anything. */
function ordersFor(hiding: CosmeticFiltering, report: DocumentReport): Orders | undefined {
  const { begun, ids = [], classes = [], hrefs = [], failed = [] } = report;
  const collapse = failed.filter(hiding.isBlocked);
  if (collapse.length > 0) return { collapse };
  const [address = ""] = report.url.split("#", 1);
  // A document without an address of its own, such as one written by a script, is part of the one it came from.
  const place = /^https?:/.test(address) ? address : /^https?:/.test(report.origin) ? `${report.origin}/` : "";
  const { lists } = hiding;
  if (!lists) return undefined;
  if (begun) return documentOrders(lists, place);
  if (isExempt(lists, place)) return undefined;
  const { rules, procedures } = cosmeticRulesForNames(lists.engines, pageAt(lists, place), { ids, classes, hrefs });
  return rules.length + procedures.length > 0 ? { rules, procedures } : undefined;
}

function documentOrders(lists: LoadedLists, url: string): Orders | undefined {
  return isExempt(lists, url) ? undefined : cosmeticRulesFor(lists.engines, pageAt(lists, url));
}

function pageAt({ requestOf }: LoadedLists, url: string): Request {
  return requestOf({ url, type: "main_frame" });
}
