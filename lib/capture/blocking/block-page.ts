// Keeps out of a page what it is not to request, and hides what was left of it.
import type { CDPSession } from "puppeteer-core";
import type { ResourceType } from "../../contract/options/blocking.ts";
import type { Capturing } from "../capturing.ts";
import { type Interceptor, intercept } from "../page/interception.ts";
import { DEAD_SOCKET, type RefusedSockets, refuseSockets } from "../scripts/web-sockets.ts";
import type { StepOf } from "../step.ts";
import { isNamedBy } from "./address-pattern.ts";
import { collapseFrame, hideRemains } from "./hide-remains.ts";
import type { Purpose } from "./purposes.ts";
import { heldTypes, isLeftAlone, kindOf, type LoadedLists, refusalOf } from "./request-rules.ts";

/**
 * Comes before the page is asked for, and holds for all documents to come and their dedicated workers. Out of reach are
 * what shared workers and service workers ask for, and to lists, web sockets.
 *
 * Every request is held by Chromium and decided on here, because nothing else reaches as far at that price:
 * Network.setBlockedURLs lets pass the documents of frames and all that workers ask for, takes patterns and no lists of
 * 100,000 rules with exceptions, kinds and parties; the egress proxy sees hosts only. Holding costs about 0.3 ms for each
 * request, of which the lists take half: see "How fast" in the README. Holding only some kinds was no faster.
 */
export async function blockPage(capturing: Capturing, step: StepOf<"block">): Promise<void> {
  const { session, blocked } = capturing;
  const { cdp, page } = session;
  const { purposes, requests, resources } = step;
  const refused = new Set<string>();
  const [lists, hiding, { frameTree }] = await Promise.all([
    load(capturing, purposes),
    load(capturing, withoutBanners(purposes)),
    cdp.send("Page.getFrameTree"),
  ]);
  const hides = lists !== undefined || requests.length > 0;
  const refusesSockets = requests.length > 0 || resources.includes("websocket");
  const [prepare] = await Promise.all([
    hides ? hideRemains(cdp, { lists: hiding, isBlocked: (url) => refused.has(url), world: "blocking" }) : undefined,
    refusesSockets &&
      refuseSocketsOf(cdp, { to: DEAD_SOCKET, all: resources.includes("websocket"), patterns: requests }),
    page.setBypassServiceWorker(true), // what the page asks one for is not held; what it asks the network for is
  ]);
  const documents = new Map<string, string>();
  const [main, rules] = [frameTree.frame.id, { lists, requests, resources }];
  let isSpared = false;
  const patterns = hides ? [{ urlPattern: "*" }] : patternsOf(resources);
  if (patterns.length === 0) return;
  await intercept(cdp, {
    patterns,
    intervene(held) {
      const { frameId, request } = held;
      const { url } = request;
      const kind = kindOf(held);
      const isDocument = kind === "document";
      if (isDocument && frameId === main) isSpared = lists !== undefined && isLeftAlone(lists, url);
      const by = documents.get(isDocument ? main : frameId) ?? documents.get(main) ?? "";
      const isPage = isDocument && frameId === main;
      const refusal = isPage ? undefined : refusalOf(isSpared ? { requests, resources } : rules, { url, kind, by });
      if (!refusal) {
        if (!isDocument) return undefined;
        documents.set(frameId, url);
        prepare?.(url);
        return undefined;
      }
      blocked.requests++;
      if (refused.size < MAX_REMEMBERED) refused.add(url);
      if (isDocument) collapseFrame(cdp, frameId).catch(() => undefined); // it is gone already
      return refusal;
    },
  });
}

/** Addresses of blocked requests whose room is found again, should the page ask for others without end. */
const MAX_REMEMBERED = 10_000;

/** Consent banners are hidden when they have been answered, see `hideBanners`. */
const withoutBanners = (purposes: readonly Purpose[]) => purposes.filter((purpose) => purpose !== "cookies");

async function load({ lists }: Capturing, purposes: readonly Purpose[]): Promise<LoadedLists | undefined> {
  if (purposes.length === 0) return undefined;
  const loading = Promise.all(purposes.map((purpose) => lists.engine(purpose)));
  const [engines, { requestOf }] = await Promise.all([loading, import("./filter-engine.ts")]);
  return { engines, requestOf };
}

/** Everything of the kinds that are to be blocked: nothing else is held for it. */
function patternsOf(resources: readonly ResourceType[]): Interceptor["patterns"] {
  return heldTypes(resources).map((resourceType) => ({ urlPattern: "*", resourceType }));
}

/** In documents, and in dedicated workers, which are held until puppeteer lets them run, which it does after this. */
async function refuseSocketsOf(cdp: CDPSession, sockets: RefusedSockets): Promise<void> {
  const source = `(${refuseSockets})(${isNamedBy}, ${JSON.stringify(sockets)})`;
  cdp.connection()?.on("sessionattached", (attached) => {
    attached.send("Runtime.evaluate", { expression: source, silent: true }).catch(() => undefined); // it has none
  });
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true });
}
