// Calls page scripts in the isolated world of a document: they share its DOM, but no script of the page can interfere.
import type { CDPSession, Protocol } from "puppeteer-core";
import { rootElementRemoved } from "../errors/target-errors.ts";
import type * as timers from "../injected/timers.ts";
import type { FrameScheduler } from "../rendering/frame-scheduler.ts";
import { hardAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";
import type { CapturedPage } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import { callDeclaration, installation } from "./injected-scripts.ts";
import { mainFrame } from "./main-frame.ts";
import {
  type AnyPageFunction,
  type Awaited,
  type Injected,
  type IsolatedScript,
  type PageFunction,
  type PageResult,
  pageFunction,
  parseResult,
} from "./page-function.ts";

/** The name of the isolated world. Chromium creates one per document and name. */
export const WORLD_NAME = "capture";

/** What a script in the isolated world needs of the page. */
export type ScriptablePage = Pick<CapturedPage, "session" | "activity" | "budget" | "now" | "frameScheduler">;

/**
 * Calls a page script, and again in the next document if the page navigates away meanwhile. Throws `TARGET_UNREACHABLE`
 * when a script fails because the document has no root element any more.
 */
export async function evaluateInIsolatedWorld<F extends Injected>(
  { session, activity, budget, now, frameScheduler }: ScriptablePage,
  called: PageFunction<F>,
  ...args: Parameters<F>
): Promise<PageResult<F>> {
  const call = () => callIsolated(session.cdp, called, ...args);
  for (;;) {
    try {
      return await waitFor(called.waitsFor, call, frameScheduler);
    } catch (error) {
      if (!isContextLost(error))
        throw (await isWithoutRoot(session.cdp)) ? rootElementRemoved(activity.document.url) : error;
      const arrived = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
      if (!arrived) throw new TimeoutError();
    }
  }
}

/** A frame of a page: its id in the DevTools protocol. */
export type FramePage = Pick<ScriptablePage, "session" | "frameScheduler"> & { readonly frameId: string };

/** Calls a page script in the isolated world of a frame. Rejects when the document of the frame goes away. */
export async function evaluateInFrame<F extends Injected>(
  { session: { cdp }, frameId, frameScheduler }: FramePage,
  called: PageFunction<F>,
  ...args: Parameters<F>
): Promise<PageResult<F>> {
  const values = args.map((value) => ({ value }));
  const work = async (): Promise<PageResult<F>> =>
    parseResult(called, (await call(cdp, await isolatedWorld(cdp, frameId), called, values)).value);
  return waitFor(called.waitsFor, work, frameScheduler);
}

/** Calls a page script in a frame, or in the page itself where none is given. */
export function evaluateInFrameOrPage<F extends Injected>(
  page: ScriptablePage,
  frame: FramePage | undefined,
  called: PageFunction<F>,
  ...args: Parameters<F>
): Promise<PageResult<F>> {
  return frame ? evaluateInFrame(frame, called, ...args) : evaluateInIsolatedWorld(page, called, ...args);
}

function waitFor<T>(
  what: Awaited | undefined,
  work: () => Promise<T>,
  frameScheduler: FrameScheduler | undefined,
): Promise<T> {
  const virtual = frameScheduler?.virtualTime;
  if (virtual && what === "resources") return virtual.duringRealTime(work());
  if (virtual && what) return virtual.during(work());
  return what === "frames" && frameScheduler ? frameScheduler.unthrottled(work) : work();
}

/** Whether the document has no root element any more, on which page scripts rely. */
async function isWithoutRoot(cdp: CDPSession): Promise<boolean> {
  try {
    const expression = "document.documentElement === null";
    const evaluated = await withWorld(cdp, ({ contextId }) => cdp.send("Runtime.evaluate", { contextId, expression }));
    return evaluated.result.value === true;
  } catch {
    return false;
  }
}

/**
 * Calls a page script once. Rejects when its document goes away. The session must have the page's events
 * (`Page.enable`).
 */
export async function callIsolated<F extends Injected>(
  cdp: CDPSession,
  called: PageFunction<F>,
  ...args: Parameters<F>
): Promise<PageResult<F>> {
  const values = args.map((value) => ({ value }));
  return parseResult(called, (await withWorld(cdp, (world) => call(cdp, world, called, values))).value);
}

/** Like `callIsolated`, for a result that stays in the page. Returns its object id, which lives as long as `cdp` does. */
export async function callIsolatedForObject<F extends Injected>(
  cdp: CDPSession,
  called: PageFunction<F>,
  ...args: Parameters<F>
): Promise<string> {
  const values = args.map((value) => ({ value }));
  const { objectId } = await withWorld(cdp, (world) => call(cdp, world, called, values, { byValue: false }));
  return objectId ?? "";
}

/** Runs a script of another author in the isolated world of the page. Rejects when it throws. */
export async function runInIsolatedWorld(cdp: CDPSession, expression: string): Promise<void> {
  const { exceptionDetails } = await withWorld(cdp, ({ contextId }) =>
    cdp.send("Runtime.evaluate", { contextId, expression }),
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

/**
 * The ids of the frames whose elements a page script of the page, or of a frame in it, returns, in their order; undefined for an
 * element without a frame.
 */
export async function callIsolatedForFrames(
  cdp: CDPSession,
  called: AnyPageFunction,
  within?: string,
): Promise<readonly (string | undefined)[]> {
  const { objectId = "" } = await call(cdp, await isolatedWorld(cdp, within ?? MAIN), called, [], { byValue: false });
  const { result } = await cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
  const elements = result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
  const nodes = elements.map((objectId) => cdp.send("DOM.describeNode", { objectId }));
  return (await Promise.all(nodes)).map(({ node }) => node.frameId);
}

/** Like `callIsolated`, for a function of one element. */
export async function callIsolatedOnNode<F extends (node: never) => unknown>(
  cdp: CDPSession,
  called: PageFunction<F>,
  backendNodeId: number,
): Promise<PageResult<F>> {
  const { value } = await withWorld(cdp, async (world) => {
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId, executionContextId: world.contextId });
    const { objectId = "" } = object;
    return call(cdp, world, called, [{ objectId }]);
  });
  return parseResult(called, value);
}

/** An isolated world, which ends with its document, and the scripts that are installed in it. */
interface IsolatedWorld {
  readonly contextId: number;
  readonly installed: Set<IsolatedScript>;
}

/** The worlds of each page: that of its main frame below `MAIN`, those of other frames below the id of their frame. */
const worlds = new WeakMap<CDPSession, Map<string, Promise<IsolatedWorld>>>();

const MAIN = "main";

/**
 * Creates the isolated world of every document from now on as soon as the document is there, mostly while its first bytes
 * are on the way, so that no call has to wait for it.
 */
export function precreateIsolatedWorlds(cdp: CDPSession): void {
  if (followed.has(cdp)) return;
  followed.add(cdp);
  cdp.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId !== undefined) {
      worlds.get(cdp)?.delete(frame.id);
      return;
    }
    worlds.delete(cdp);
    isolatedWorld(cdp, MAIN).catch(() => undefined); // the next call rejects with it
  });
}

const followed = new WeakSet<CDPSession>();

/** Gives isolated worlds timers that work without the scripts of the page, from the next call on. */
export function installTimers(cdp: CDPSession): void {
  withoutTimers.add(cdp);
  worlds.delete(cdp);
}

const installTimersInPage: PageFunction<typeof timers.installTimers> = pageFunction("core", "installTimers");

const withoutTimers = new WeakSet<CDPSession>();

/**
 * Runs `work` in the isolated world of the current document of a frame, by default the main one. A world whose context is lost is
 * forgotten, so that the next call creates another one: an XSLT style sheet replaces its document without a navigation.
 */
async function withWorld<T>(
  cdp: CDPSession,
  work: (world: IsolatedWorld) => Promise<T>,
  frameId: string = MAIN,
): Promise<T> {
  const world = isolatedWorld(cdp, frameId);
  try {
    return await work(await world);
  } catch (error) {
    const known = worlds.get(cdp);
    if (isContextLost(error) && known?.get(frameId) === world) known.delete(frameId);
    throw error;
  }
}

/** The isolated world of the current document of a frame, created once: each creation is a round trip. */
function isolatedWorld(cdp: CDPSession, frameId: string): Promise<IsolatedWorld> {
  const ofPage = worlds.get(cdp) ?? new Map<string, Promise<IsolatedWorld>>();
  worlds.set(cdp, ofPage);
  const known = ofPage.get(frameId);
  if (known) return known;
  const world = createWorld(cdp, frameId);
  ofPage.set(frameId, world);
  world.catch(() => {
    if (ofPage.get(frameId) === world) ofPage.delete(frameId); // not that of the next document
  });
  return world;
}

async function createWorld(cdp: CDPSession, frameId: string): Promise<IsolatedWorld> {
  precreateIsolatedWorlds(cdp);
  const { executionContextId: contextId } = await cdp.send("Page.createIsolatedWorld", {
    frameId: frameId === MAIN ? await mainFrame(cdp) : frameId,
    worldName: WORLD_NAME,
  });
  const world = { contextId, installed: new Set<IsolatedScript>() };
  if (withoutTimers.has(cdp)) await call(cdp, world, installTimersInPage, []);
  return world;
}

async function call(
  cdp: CDPSession,
  { contextId, installed }: IsolatedWorld,
  { script, name }: AnyPageFunction,
  args: Protocol.Runtime.CallArgument[],
  { byValue = true } = {},
): Promise<Protocol.Runtime.RemoteObject> {
  const expression = installed.has(script) ? "" : await installation(script);
  const isMissing = !installed.has(script); // no other call has installed it meanwhile
  installed.add(script);
  // Chromium runs the installation first, so that both take one round trip.
  const installing = isMissing ? cdp.send("Runtime.evaluate", { contextId, expression }) : undefined;
  const calling = cdp.send("Runtime.callFunctionOn", {
    executionContextId: contextId,
    functionDeclaration: callDeclaration(script),
    arguments: [{ value: name }, ...args],
    returnByValue: byValue,
    awaitPromise: true,
  });
  const [{ result, exceptionDetails }] = await Promise.all([calling, installing]);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result;
}
