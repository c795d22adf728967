// When a page counts as loaded: what each value of `wait_until` waits for, and how long at most.

import { hardAllowance, softAllowance } from "../pipeline/budget.ts";
import { type CaptureState, StepTimeout } from "../pipeline/capture-context.ts";
import { firstElement } from "../pipeline/capture-failure.ts";
import type { LoadCondition } from "../pipeline/step.ts";
import { watchCanvases } from "../rendering/canvases.ts";
import { startIdleCallbacks } from "../rendering/idle-callbacks.ts";
import { confirmDocument, hasFailed } from "./confirm-document.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import type { MainDocument, PageActivity } from "./page-activity.ts";

/** Longest waits of `auto`, in milliseconds: for the load event, for fonts and images, for the network to calm. */
const AUTO_LOAD_MS = 10_000;
const AUTO_READY_MS = 3_000;
const AUTO_CALM_MS = 2_000;
const AUTO_QUIET_MS = 100;

/** Longest wait of `auto` for scripts to paint something where all is blank, and where there are but plain areas. */
const AUTO_BLANK_MS = 3_000;
const AUTO_PLAIN_MS = 750;

const NETWORK_QUIET_MS = 500;
const SOFT_IDLE_MS = 10_000;

/** Waits until the page has loaded, and gives it idle moments from then on: waits for what it does in them come later. */
export async function waitForLoad(
  capturing: CaptureState,
  conditions: readonly LoadCondition[] = ["auto"],
): Promise<void> {
  startIdleCallbacks(capturing);
  for (const condition of conditions) await loadConditions[condition](capturing);
}

const loadConditions: { readonly [C in LoadCondition]: (capturing: CaptureState) => Promise<void> } = {
  auto: async (capturing) => {
    const { activity, budget, now, warnings } = capturing;
    const loaded = await untilDocument(capturing, ({ loaded }) => loaded, softAllowance(budget, now(), AUTO_LOAD_MS));
    if (!loaded)
      warnings.push(`The page had not finished loading; still pending: ${firstElement(activity.pending())}.`);
    watchCanvases(capturing);
    const calm = activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, softAllowance(budget, now(), AUTO_CALM_MS));
    const capped = softAllowance(budget, now(), AUTO_READY_MS);
    const { canChange } = await evaluateInIsolatedWorld(capturing, "readiness", capped);
    // Without a script nothing more can begin, so there is nothing to wait for.
    if (!canChange) return;
    await calm;
    await untilPainted(capturing);
  },
  load: (capturing) => must(capturing, (_, allowance) => untilDocument(capturing, ({ loaded }) => loaded, allowance)),
  domcontentloaded: (capturing) =>
    must(capturing, (_, allowance) => untilDocument(capturing, ({ parsed }) => parsed, allowance)),
  networkidle: async ({ activity, budget, now, warnings }) => {
    const allowance = softAllowance(budget, now(), SOFT_IDLE_MS);
    if (await activity.untilQuiet({ open: 2, quiet: NETWORK_QUIET_MS }, allowance)) return;
    warnings.push(`The network did not become idle; still pending: ${firstElement(activity.pending())}.`);
  },
  networkidle0: (capturing) =>
    must(capturing, (activity, allowance) => activity.untilQuiet({ open: 0, quiet: NETWORK_QUIET_MS }, allowance)),
  networkidle2: (capturing) =>
    must(capturing, (activity, allowance) => activity.untilQuiet({ open: 2, quiet: NETWORK_QUIET_MS }, allowance)),
};

/** Waits for a state of the document. Throws as soon as the document's connection breaks off: it never gets there then. */
async function untilDocument(
  capturing: CaptureState,
  isReached: (document: MainDocument) => boolean,
  allowance: number,
): Promise<boolean> {
  const { activity } = capturing;
  const isOver = () => isReached(activity.document) || hasFailed(activity.document);
  const isOverInTime = await activity.until(isOver, allowance);
  if (isOverInTime && !isReached(activity.document)) confirmDocument(capturing, []);
  return isOverInTime;
}

/** Many applications begin as an empty page, which their scripts fill: a picture of it would be white. */
async function untilPainted(capturing: CaptureState): Promise<void> {
  const { activity, budget, now } = capturing;
  const hasContent = () => activity.document.contentPainted;
  if (hasContent() || !(await evaluateInIsolatedWorld(capturing, "canShowMore"))) return;
  const wait = (longest: number) => softAllowance(budget, now(), longest);
  await activity.until(() => hasContent() || activity.document.painted, wait(AUTO_BLANK_MS));
  await activity.until(hasContent, wait(AUTO_PLAIN_MS));
  await activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, wait(AUTO_CALM_MS));
}

/** A wait the caller insisted on: the capture fails when it does not come true. */
async function must(
  { activity, budget, now }: CaptureState,
  wait: (activity: PageActivity, allowance: number) => Promise<boolean>,
): Promise<void> {
  if (!(await wait(activity, hardAllowance(budget, now())))) throw new StepTimeout("the page to load");
}
