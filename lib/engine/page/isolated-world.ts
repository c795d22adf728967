// Asks a page something from a world of its own: the same document, but none of the page's own scripts can interfere.
import type { CDPSession } from "puppeteer-core";
import { rootElementRemoved } from "../errors/target-errors.ts";
import { nextFrame } from "../injected/full-page.ts";
import { hardAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";
import type { CapturedPage } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import { mainFrame } from "./main-frame.ts";

/** The name of that world. Asked for again, Chromium hands out the same one. */
const CAPTURE_WORLD = "capture";

/** What can be sent into the page: plain values, and functions, which travel as text like the script itself. */
type Argument = boolean | number | string | null | object;

/** What a script in the isolated world needs of the page. */
export type ScriptablePage = Pick<CapturedPage, "session" | "activity" | "budget" | "now" | "frameScheduler">;

/**
 * Runs a script beside those of the page, which may have replaced what scripts rely on, and again in the next document
 * when the page navigates away under it. A script that fails because the document has no root any more fails the capture
 * with `TARGET_UNREACHABLE`. One that is sent `nextFrame` is not kept waiting for frames. Elements can still hide
 * properties of `document` and of forms behind their names, so such properties are read with `Reflect.get` from the
 * prototype.
 */
export async function evaluateInIsolatedWorld<A extends Argument[], R>(
  { session, activity, budget, now, frameScheduler }: ScriptablePage,
  script: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  const call = () => callIsolated(session.cdp, script, args, { byValue: true });
  const awaitsFrames = [script, ...args].some((each) => each === nextFrame);
  for (;;) {
    try {
      const { value } = await (frameScheduler && awaitsFrames ? frameScheduler.unthrottled(call) : call());
      return value as Awaited<R>;
    } catch (error) {
      if (!isContextLost(error))
        throw (await isWithoutRoot(session.cdp)) ? rootElementRemoved(activity.document.url) : error;
      const arrived = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
      if (!arrived) throw new TimeoutError();
    }
  }
}

/** Whether the page's document has no root element any more: a script of ours that relied on it is not to blame then. */
async function isWithoutRoot(cdp: CDPSession): Promise<boolean> {
  const rootless = () => document.documentElement === null;
  const asked = await callIsolated(cdp, rootless, [], { byValue: true }).catch(() => undefined);
  return asked?.value === true;
}

/**
 * Runs a script in the isolated world; the outcome is its value, or an object that lives as long as `cdp` does. The
 * session must have the page's events (`Page.enable`).
 */
export async function callIsolated<A extends Argument[]>(
  cdp: CDPSession,
  script: (...args: A) => unknown,
  args: A,
  { byValue }: { byValue: boolean },
): Promise<{ value?: unknown; objectId?: string }> {
  return callIn(cdp, await worldOf(cdp), script, args, { byValue });
}

/** Has a script run in the isolated world of every document from now on, before any other does. */
export function installIsolatedWorlds(cdp: CDPSession, script: () => void): void {
  preparations.set(cdp, script);
  worlds.delete(cdp);
}

const preparations = new WeakMap<CDPSession, () => void>();

async function callIn<A extends Argument[]>(
  cdp: CDPSession,
  executionContextId: number,
  script: (...args: A) => unknown,
  args: A,
  { byValue }: { byValue: boolean },
): Promise<{ value?: unknown; objectId?: string }> {
  const { result, exceptionDetails } = await cdp.send("Runtime.callFunctionOn", {
    executionContextId,
    functionDeclaration: withFunctions(script, args),
    arguments: args.map((value) => (typeof value === "function" ? {} : { value })),
    returnByValue: byValue,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result;
}

/** The isolated world of the page's document, which ends with it: asked for once, as each call would cost a round trip. */
function worldOf(cdp: CDPSession): Promise<number> {
  const known = worlds.get(cdp);
  if (known) return known;
  const world = createWorld(cdp);
  worlds.set(cdp, world);
  world.catch(() => {
    if (worlds.get(cdp) === world) worlds.delete(cdp); // not that of the next document
  });
  return world;
}

const worlds = new WeakMap<CDPSession, Promise<number>>();

/**
 * Makes that world for every document from now on, as soon as there is one: mostly it waits for its first bytes then,
 * and later whoever asks would wait for the world.
 */
export function precreateIsolatedWorlds(cdp: CDPSession): void {
  if (followed.has(cdp)) return;
  followed.add(cdp);
  cdp.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId !== undefined) return;
    worlds.delete(cdp);
    worldOf(cdp).catch(() => undefined); // whoever asks is told
  });
}

const followed = new WeakSet<CDPSession>();

async function createWorld(cdp: CDPSession): Promise<number> {
  precreateIsolatedWorlds(cdp);
  const { executionContextId } = await cdp.send("Page.createIsolatedWorld", {
    frameId: await mainFrame(cdp),
    worldName: CAPTURE_WORLD,
  });
  const preparation = preparations.get(cdp);
  if (preparation) await callIn(cdp, executionContextId, preparation, [], { byValue: true });
  return executionContextId;
}

function withFunctions(script: (...args: never) => unknown, args: readonly Argument[]): string {
  const passed = args.map((value, index) => (typeof value === "function" ? `(${value})` : `values[${index}]`));
  return `(...values) => (${script})(${passed.join(", ")})`;
}
