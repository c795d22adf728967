// When a page counts as loaded: what each value of `wait_until` waits for, and how long at most.
import { hardAllowance, softAllowance } from "./budget.ts";
import { ask, type Capturing, StepTimeout } from "./capturing.ts";
import type { PageActivity } from "./page-activity.ts";
import { readiness } from "./page-scripts.ts";
import type { LoadCondition } from "./plan.ts";

/** Longest waits of `auto`, in milliseconds: for the load event, for fonts and images, for the network to calm. */
const AUTO_LOAD_MS = 10_000;
const AUTO_READY_MS = 3_000;
const AUTO_CALM_MS = 2_000;
const AUTO_QUIET_MS = 100;
const NETWORK_QUIET_MS = 500;
const SOFT_IDLE_MS = 10_000;

export const loadConditions: { readonly [C in LoadCondition]: (capturing: Capturing) => Promise<void> } = {
  auto: async (capturing) => {
    const { activity, budget, now, warnings } = capturing;
    const loaded = await activity.until(() => activity.document.loaded, softAllowance(budget, now(), AUTO_LOAD_MS));
    if (!loaded) warnings.push(`The page had not finished loading; still pending: ${pendingText(activity)}.`);
    const capped = softAllowance(budget, now(), AUTO_READY_MS);
    const { canChange } = await ask(capturing, readiness, capped);
    // Without a script nothing more can begin, so there is nothing to wait for.
    if (!canChange) return;
    await activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, softAllowance(budget, now(), AUTO_CALM_MS));
  },
  load: (capturing) =>
    must(capturing, (activity, allowance) => activity.until(() => activity.document.loaded, allowance)),
  domcontentloaded: (capturing) =>
    must(capturing, (activity, allowance) => activity.until(() => activity.document.parsed, allowance)),
  networkidle: async ({ activity, budget, now, warnings }) => {
    const allowance = softAllowance(budget, now(), SOFT_IDLE_MS);
    if (await activity.untilQuiet({ open: 2, quiet: NETWORK_QUIET_MS }, allowance)) return;
    warnings.push(`The network did not become idle; still pending: ${pendingText(activity)}.`);
  },
  networkidle0: (capturing) =>
    must(capturing, (activity, allowance) => activity.untilQuiet({ open: 0, quiet: NETWORK_QUIET_MS }, allowance)),
  networkidle2: (capturing) =>
    must(capturing, (activity, allowance) => activity.untilQuiet({ open: 2, quiet: NETWORK_QUIET_MS }, allowance)),
};

/** A wait the caller insisted on: the capture fails when it does not come true. */
async function must(
  { activity, budget, now }: Capturing,
  wait: (activity: PageActivity, allowance: number) => Promise<boolean>,
): Promise<void> {
  if (!(await wait(activity, hardAllowance(budget, now())))) throw new StepTimeout();
}

function pendingText(activity: PageActivity): string {
  const [first, ...more] = activity.pending();
  if (first === undefined) return "nothing on the network";
  return more.length > 0 ? `${first} and ${more.length} more` : first;
}
