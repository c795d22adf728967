// Load conditions: what each value of `wait_until` waits for, and its timeouts.

import * as v from "valibot";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { describePending } from "../errors/timeout-errors.ts";
import type * as loading from "../injected/loading.ts";
import { retryAtRealPace, startVirtualTime } from "../rendering/page-time.ts";
import { hardAllowance, softAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";
import { watchCanvases } from "./animations.ts";
import type { CapturedPage } from "./captured-page.ts";
import { confirmDocument, hasFailed } from "./confirm-document.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import type { MainDocument, PageActivity } from "./page-activity.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export type LoadCondition = EngineOptions["wait_until"][number];

/**
 * Timeouts of `auto`: for the load event, for fonts and images, for network idle; and how long the network must be
 * idle.
 */
const AUTO_LOAD_MS = 10_000;
const AUTO_READY_MS = 3_000;
const AUTO_IDLE_MS = 2_000;
const AUTO_QUIET_MS = 100;

/** Timeouts of `auto` for scripts to paint: on a blank page, and on one with only plain areas. */
const AUTO_BLANK_MS = 3_000;
const AUTO_PLAIN_MS = 750;

const NETWORK_QUIET_MS = 500;
const SOFT_IDLE_MS = 10_000;

/** Waits until the page has loaded. */
export async function waitForLoad(
  capturing: CapturedPage,
  conditions: readonly LoadCondition[] = ["auto"],
): Promise<void> {
  for (const condition of conditions) await loadConditions[condition](capturing);
}

const loadConditions: { readonly [C in LoadCondition]: (capturing: CapturedPage) => Promise<void> } = {
  auto: async (capturing) => {
    const { activity, budget, now, warnings } = capturing;
    const loaded = await untilDocument(capturing, ({ loaded }) => loaded, softAllowance(budget, now(), AUTO_LOAD_MS));
    if (!loaded)
      warnings.push(`The page had not finished loading; still pending: ${describePending(activity.pending())}.`);
    await startVirtualTime(capturing);
    watchCanvases(capturing);
    const untilIdle = () =>
      activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, softAllowance(budget, now(), AUTO_IDLE_MS));
    const networkIdle = capturing.frameScheduler?.virtualTime ? undefined : untilIdle();
    const readyTimeoutMs = softAllowance(budget, now(), AUTO_READY_MS);
    const { canChange } = await evaluateInIsolatedWorld(capturing, readinessInPage, readyTimeoutMs);
    // Without scripts nothing more can start.
    if (!canChange) return;
    await (networkIdle ?? untilIdle());
    await untilPainted(capturing);
  },
  load: async (capturing) => {
    await requireCondition(capturing, (_, timeoutMs) => untilDocument(capturing, ({ loaded }) => loaded, timeoutMs));
    await startVirtualTime(capturing);
  },
  domcontentloaded: (capturing) =>
    requireCondition(capturing, (_, timeoutMs) => untilDocument(capturing, ({ parsed }) => parsed, timeoutMs)),
  networkidle: async (capturing) => {
    const { activity, budget, now, warnings } = capturing;
    const timeoutMs = softAllowance(budget, now(), SOFT_IDLE_MS);
    if (await untilNetworkIdle(capturing, 2, timeoutMs)) return;
    warnings.push(`The network did not become idle; still pending: ${describePending(activity.pending())}.`);
  },
  networkidle0: (capturing) => requireCondition(capturing, (_, timeoutMs) => untilNetworkIdle(capturing, 0, timeoutMs)),
  networkidle2: (capturing) => requireCondition(capturing, (_, timeoutMs) => untilNetworkIdle(capturing, 2, timeoutMs)),
};

/** Resolves to whether at most `open` requests were open for half a second, within `timeoutMs`. */
async function untilNetworkIdle(capturing: CapturedPage, open: number, timeoutMs: number): Promise<boolean> {
  const { activity, settlesInVirtualTime } = capturing;
  const condition = { open, quiet: NETWORK_QUIET_MS };
  const expiry = performance.now() + timeoutMs;
  // The network may become idle before the page has loaded, which waits for the requests that are open.
  const isLoaded = () => activity.document.loaded;
  if (settlesInVirtualTime && (await activity.untilQuiet(condition, timeoutMs, isLoaded))) return true;
  await startVirtualTime(capturing);
  return activity.untilQuiet(condition, expiry - performance.now());
}

/**
 * Waits for a state of the document. Throws as soon as its connection fails, because the state is then never reached.
 */
async function untilDocument(
  capturing: CapturedPage,
  isReached: (document: MainDocument) => boolean,
  timeoutMs: number,
): Promise<boolean> {
  const { activity } = capturing;
  const isSettled = () => isReached(activity.document) || hasFailed(activity.document);
  const hasSettled = await activity.until(isSettled, timeoutMs);
  if (hasSettled && !isReached(activity.document)) confirmDocument(capturing, []);
  return hasSettled;
}

/** Waits for content: many applications start as an empty page that scripts fill, whose screenshot would be white. */
async function untilPainted(capturing: CapturedPage): Promise<void> {
  const { activity, budget, now } = capturing;
  const hasContent = () => activity.document.contentPainted;
  if (hasContent() || !(await evaluateInIsolatedWorld(capturing, canShowMoreInPage))) return;
  const wait = (maxMs: number) => softAllowance(budget, now(), maxMs);
  const untilContent = async () => {
    await activity.until(() => hasContent() || activity.document.painted, wait(AUTO_BLANK_MS));
    return activity.until(hasContent, wait(AUTO_PLAIN_MS));
  };
  await retryAtRealPace(capturing, untilContent, (isFound) => isFound);
  await activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, wait(AUTO_IDLE_MS));
}

/** A wait that the caller required: throws `TimeoutError` when the condition is not met in time. */
async function requireCondition(
  { activity, budget, now }: CapturedPage,
  wait: (activity: PageActivity, timeoutMs: number) => Promise<boolean>,
): Promise<void> {
  if (!(await wait(activity, hardAllowance(budget, now())))) throw new TimeoutError("the page to load");
}

export const canShowMoreInPage: PageFunction<typeof loading.canShowMore> = pageFunction("core", "canShowMore", {
  result: v.boolean(),
});

export const readinessInPage: PageFunction<typeof loading.readiness> = pageFunction("core", "readiness", {
  waitsFor: "resources",
  result: v.object({ canChange: v.boolean() }),
});
