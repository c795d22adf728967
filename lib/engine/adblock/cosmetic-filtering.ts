// Cosmetic filtering: hides what filter lists name in every document of a page before it is painted, and collapses elements
// whose source was blocked.
import type { Request } from "@ghostery/adblocker";
import type { CDPSession } from "puppeteer-core";
import * as v from "valibot";
import type { DocumentReport, DocumentRules } from "../injected/cosmetic-filtering.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import { cosmeticRulesFor, cosmeticRulesForNames, genericSelectors } from "./cosmetic-rules.ts";
import { isExempt, type LoadedLists } from "./request-rules.ts";

export interface CosmeticFiltering {
  readonly lists: LoadedLists | undefined;
  /** True for the URL of a request that was blocked. */
  readonly isBlocked: (url: string) => boolean;
  /** Name of the isolated world that the script runs in; a different one for each call. */
  readonly world: string;
}

/** Takes the URL of a document before its request continues, so that its rules are there when it starts. */
export type PrepareDocument = (url: string) => void;

/** Limits for a page that creates elements, or frames, forever. */
const LIMITS = { elements: 100_000, procedures: 100 };
const MAX_PREPARED = 200;

/** The function of the page script that takes rules. */
const APPLY = "applyRules";

export async function applyCosmeticFilters(cdp: CDPSession, filtering: CosmeticFiltering): Promise<PrepareDocument> {
  const { lists, world: worldName } = filtering;
  const names = { report: `report-${worldName}`, apply: APPLY };
  const prepared = new Set<string>();
  cdp.on("Runtime.bindingCalled", ({ name, payload, executionContextId: contextId }) => {
    const report = name === names.report ? parseReport(payload) : undefined;
    const rules = report && rulesForReport(filtering, report);
    if (!rules) return;
    const expression = applyExpression(rules);
    cdp.send("Runtime.evaluate", { contextId, expression, silent: true }).catch(() => undefined); // the document is gone
  });
  const generic = genericSelectors(lists?.engines ?? []);
  const source = await injectedCall("cosmeticFiltering", "filterDocument", { names, generic, limits: LIMITS });
  await Promise.all([
    cdp.send("Runtime.enable"), // required for the events of bindings
    cdp.send("Runtime.addBinding", { name: names.report, executionContextName: worldName }),
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName, runImmediately: true }),
  ]);
  return (url) => {
    const [address = ""] = url.split("#", 1);
    if (!lists || prepared.has(address) || prepared.size >= MAX_PREPARED) return;
    prepared.add(address);
    const rules = applyExpression({ url: address, ...documentRules(lists, address) });
    // Chromium does not answer while a page is on the way, but stores the script until just before the document starts.
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: rules, worldName }).catch(() => undefined);
  };
}

/** Hides the frame whose document was blocked. */
export async function collapseFrame(cdp: CDPSession, frameId: string): Promise<void> {
  const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
  const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
  const { objectId = "" } = object;
  const functionDeclaration = 'function () { this.style.setProperty("display", "none", "important"); }';
  await cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration, silent: true });
  await cdp.send("Runtime.releaseObject", { objectId });
}

const strings = v.exactOptional(v.array(v.string()));

const reportSchema: v.GenericSchema<unknown, DocumentReport> = v.object({
  url: v.string(),
  origin: v.string(),
  started: v.exactOptional(v.literal(true)),
  ids: strings,
  classes: strings,
  hrefs: strings,
  failed: strings,
});

/** Undefined for a message that the page script does not send. */
function parseReport(payload: string): DocumentReport | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), reportSchema), payload);
  return parsed.success ? parsed.output : undefined;
}

function applyExpression(rules: DocumentRules): string {
  return `${APPLY}(${JSON.stringify(rules)})`;
}

/** The rules in answer to a report, if any. */
function rulesForReport(filtering: CosmeticFiltering, report: DocumentReport): DocumentRules | undefined {
  const { started, ids = [], classes = [], hrefs = [], failed = [] } = report;
  const collapse = failed.filter(filtering.isBlocked);
  if (collapse.length > 0) return { collapse };
  const [address = ""] = report.url.split("#", 1);
  // A document without an address of its own, such as one that a script wrote, belongs to the one it came from.
  const url = /^https?:/.test(address) ? address : /^https?:/.test(report.origin) ? `${report.origin}/` : "";
  const { lists } = filtering;
  if (!lists) return undefined;
  if (started) return documentRules(lists, url);
  if (isExempt(lists, url)) return undefined;
  const { rules, procedures } = cosmeticRulesForNames(lists.engines, pageRequest(lists, url), { ids, classes, hrefs });
  return rules.length + procedures.length > 0 ? { rules, procedures } : undefined;
}

function documentRules(lists: LoadedLists, url: string): DocumentRules | undefined {
  return isExempt(lists, url) ? undefined : cosmeticRulesFor(lists.engines, pageRequest(lists, url));
}

function pageRequest({ requestOf }: LoadedLists, url: string): Request {
  return requestOf({ url, type: "main_frame" });
}
