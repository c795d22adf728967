// Keeps out of a page what it is not to request, and hides what was left of it.
import type { CDPSession } from "puppeteer-core";
import type { Purpose } from "../../options/filter-purposes.ts";
import type { ResourceType } from "../../options/groups/blocking.ts";
import { BLOCKED_WEB_SOCKET, type BlockedWebSockets, blockWebSockets } from "../injected/web-sockets.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { bypassServiceWorkers, type Interceptor, intercept } from "../page/interception.ts";
import { mainFrame } from "../page/main-frame.ts";
import type { BlockReport } from "./block-report.ts";
import { applyCosmeticFilters, collapseFrame, type Prepare } from "./cosmetic-filtering.ts";
import type { FilterLists } from "./filter-lists.ts";
import {
  findBlockingRule,
  interceptedTypes,
  isExempt,
  type LoadedLists,
  type RequestRules,
  requestKind,
} from "./request-rules.ts";
import { matchesUrlPattern } from "./url-pattern.ts";

/** What a page must not load. */
export interface BlockedContent {
  /** Purposes whose filter lists apply. */
  readonly purposes: readonly Purpose[];
  /** URL patterns. */
  readonly requests: readonly string[];
  readonly resources: readonly ResourceType[];
}

/** The page from which content is blocked. */
interface BlockingPage extends Pick<CapturedPage, "session"> {
  readonly lists: FilterLists;
  readonly blocked: BlockReport;
}

/**
 * Comes before the page is asked for, and holds for all documents to come and their dedicated workers. Out of reach are
 * what shared workers and service workers ask for, and to lists, web sockets.
 *
 * Every request is held by Chromium and decided on here, because nothing else reaches as far. On a page of 50 requests,
 * medians of 9 in turns on a busy machine, holding all of them and asking the lists changed the time by +9 % and +1 % in
 * two rounds, holding only the kinds that lists mostly name by -4 % and -3 %: less than runs differ. The lists took 0.4 ms
 * of each request. Network.setBlockedURLs (+1 %) lets pass the documents of frames and all that workers ask for, and takes
 * patterns, not 100,000 rules with kinds, parties and exceptions. Not measured is the egress proxy, which sees hosts only,
 * of which some are let pass for one kind.
 */
export async function startBlocking(capturing: BlockingPage, step: BlockedContent): Promise<void> {
  const { cdp } = capturing.session;
  const { purposes, requests, resources } = step;
  const [lists, hiding] = await Promise.all([load(capturing, purposes), load(capturing, withoutBanners(purposes))]);
  const refused = new Set<string>();
  const hides = lists !== undefined || requests.length > 0;
  const sockets: BlockedWebSockets = {
    to: BLOCKED_WEB_SOCKET,
    all: resources.includes("websocket"),
    patterns: requests,
  };
  const patterns = hides ? [{ urlPattern: "*" }] : patternsOf(resources);
  const means: Means = { rules: { lists, requests, resources }, refused, main: "" };
  // Side by side, as each is a round trip before the page is even asked for.
  await Promise.all([
    mainFrame(cdp).then((main) => {
      means.main = main;
    }),
    hides &&
      applyCosmeticFilters(cdp, { lists: hiding, isBlocked: (url) => refused.has(url), world: "blocking" }).then(
        (prepare) => {
          means.prepare = prepare;
        },
      ),
    (sockets.all || requests.length > 0) && refuseSocketsOf(cdp, sockets),
    bypassServiceWorkers(cdp),
    patterns.length > 0 && intercept(cdp, { patterns, intervene: refuser(capturing, means) }),
  ]);
}

interface Means {
  readonly rules: RequestRules;
  /** Addresses of what was refused. */
  readonly refused: Set<string>;
  /** Id of the main frame, known before the page is asked for. */
  main: string;
  prepare?: Prepare;
}

/** Decides on each request, and remembers which documents ask. */
function refuser({ session, blocked }: BlockingPage, means: Means): Interceptor["intervene"] {
  const { rules, refused } = means;
  const documents = new Map<string, string>();
  let current = rules;
  return (held) => {
    const { frameId, request } = held;
    const { url } = request;
    const kind = requestKind(held);
    const isDocument = kind === "document";
    const isPage = isDocument && frameId === means.main;
    if (isPage) current = rules.lists && isExempt(rules.lists, url) ? { ...rules, lists: undefined } : rules;
    const by = documents.get(isDocument ? means.main : frameId) ?? documents.get(means.main) ?? "";
    const refusal = isPage ? undefined : findBlockingRule(current, { url, kind, by });
    if (refusal) {
      blocked.requests++;
      if (refused.size < MAX_REMEMBERED) refused.add(url);
      if (isDocument) collapseFrame(session.cdp, frameId).catch(() => undefined); // it is gone already
    } else if (isDocument) {
      documents.set(frameId, url);
      means.prepare?.(url);
    }
    return refusal;
  };
}

/** Addresses of blocked requests whose room is found again, should the page ask for others without end. */
const MAX_REMEMBERED = 10_000;

/** Consent banners are hidden when they have been answered, see `hideBanners`. */
const withoutBanners = (purposes: readonly Purpose[]) => purposes.filter((purpose) => purpose !== "cookies");

async function load({ lists }: BlockingPage, purposes: readonly Purpose[]): Promise<LoadedLists | undefined> {
  if (purposes.length === 0) return undefined;
  const loading = Promise.all(purposes.map((purpose) => lists.engine(purpose)));
  const [engines, { toFilterRequest: requestOf }] = await Promise.all([loading, import("./filter-engine.ts")]);
  return { engines, requestOf };
}

/** Everything of the kinds that are to be blocked: nothing else is held for it. */
function patternsOf(resources: readonly ResourceType[]): Interceptor["patterns"] {
  return interceptedTypes(resources).map((resourceType) => ({ urlPattern: "*", resourceType }));
}

/** In documents, and in dedicated workers, which are held until puppeteer lets them run, which it does after this. */
async function refuseSocketsOf(cdp: CDPSession, sockets: BlockedWebSockets): Promise<void> {
  const source = `(${blockWebSockets})(${matchesUrlPattern}, ${JSON.stringify(sockets)})`;
  cdp.connection()?.on("sessionattached", (attached) => {
    attached.send("Runtime.evaluate", { expression: source, silent: true }).catch(() => undefined); // it has none
  });
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true });
}
