// Steps that change the page as the caller asks: styles, scripts, clicks, and where the pointer rests.
import type { Protocol } from "puppeteer-core";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { clickMouse, moveMouse } from "../../page/mouse.ts";
import type { PageActivity } from "../../page/page-activity.ts";
import { hardAllowance, softAllowance } from "../budget.ts";
import { type CaptureState, StepTimeout } from "../capture-context.ts";
import { invalidSelector, isContextLost, scriptFailed, styleFailed } from "../capture-failure.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Actions } from "./actions.ts";
import { isThere } from "./find.ts";

const SHEET_MS = 10_000;

/** Longest wait for the pictures and fonts that added styles show. */
const STYLED_MS = 3_000;

/** A page that sets out for another document says so at once; the request follows within this time, if it does. */
const DEPARTURE_MS = 500;

/** A script that does not end must not be the reason that nothing is seen of the page. */
const FIRST_PAINT_MS = 100;

export const changeActions = {
  "add-styles": async (capturing, { styles }) => {
    const { activity, budget, now } = capturing;
    const { begun } = activity;
    for (const style of styles) await addStyle(capturing, style);
    await evaluateInIsolatedWorld(capturing, "nextFrame"); // in which the page asks for what they show
    await evaluateInIsolatedWorld(capturing, "readiness", softAllowance(budget, now(), STYLED_MS));
    await activity.untilAnswered(begun, softAllowance(budget, now(), STYLED_MS));
  },

  hide: async (capturing, { selectors }) => {
    const invalid = await evaluateInIsolatedWorld(capturing, "hideElements", [...selectors]);
    if (invalid !== null) throw invalidSelector("hide_selectors", invalid);
  },

  "run-scripts": async (capturing, { scripts }) => {
    const { activity } = capturing;
    await activity.until(() => activity.document.painted, FIRST_PAINT_MS);
    for (const [index, script] of scripts.entries()) await runScript(capturing, script, index);
  },

  click: async (capturing, step) => {
    if (!(await isThere(capturing, { option: "click", ...step }))) return;
    const before = departureOf(capturing);
    const { isDisabled } = await evaluateInIsolatedWorld(capturing, "scrollIntoView", step.selector);
    if (isDisabled) capturing.warnings.push(`'${step.selector}' of 'click' is disabled, so that nothing was clicked.`);
    else await press(capturing, step.selector);
    // A form is sent, and a link followed, in a task after that of the click.
    await evaluateInIsolatedWorld(capturing, "nextTask");
    await hasLeft(capturing, before);
    await waitForLoad(capturing);
    await evaluateInIsolatedWorld(capturing, "scrollBack");
  },

  hover: async (capturing, step) => {
    if (!(await isThere(capturing, { option: "hover", ...step }))) return;
    const { point } = await evaluateInIsolatedWorld(capturing, "scrollToPoint", step.selector);
    if (!point) {
      capturing.warnings.push(`Another element lies over '${step.selector}', so that it cannot be hovered over.`);
      return;
    }
    await moveMouse(capturing.session.cdp, point);
    capturing.hovered = step.selector;
    await waitForLoad(capturing);
  },
} satisfies Actions;

async function addStyle(capturing: CaptureState, style: string): Promise<void> {
  const allowance = softAllowance(capturing.budget, capturing.now(), SHEET_MS);
  const href = style.trim();
  if (/^https?:\/\/\S+$/i.test(href)) {
    if (!(await evaluateInIsolatedWorld(capturing, "addSheet", href, allowance))) throw styleFailed(href);
  } else if (!(await evaluateInIsolatedWorld(capturing, "addRules", style, allowance))) {
    throw styleFailed(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/i.exec(style)?.[1] ?? "@import");
  }
}

/** As a person would, or as assistive technology where another element is in the way. */
async function press(capturing: CaptureState, selector: string): Promise<void> {
  const { point } = await evaluateInIsolatedWorld(capturing, "scrollToPoint", selector);
  if (point) await clickMouse(capturing.session.cdp, point);
  else await evaluateInIsolatedWorld(capturing, "clickCovered", selector);
}

async function runScript(capturing: CaptureState, code: string, index: number): Promise<void> {
  const { session, budget, now } = capturing;
  const before = departureOf(capturing);
  const running = session.cdp.send("Runtime.evaluate", {
    expression: `(async () => {\n${code}\n})()\n//# sourceURL=${SCRIPT_NAME}`,
    awaitPromise: true,
    userGesture: true,
  });
  const ended = await withTimeout(running, hardAllowance(budget, now())).catch((error) => {
    if (isContextLost(error)) throw scriptFailed(index, "it led to another page");
    throw error;
  });
  if (!ended) throw new StepTimeout("a script to end");
  if (ended.exceptionDetails) throw scriptFailed(index, thrownText(ended.exceptionDetails));
  if (await hasLeft(capturing, before)) throw scriptFailed(index, "it led to another page");
}

/** Where the page is, and how often it has set out for another one. */
type Departure = Pick<PageActivity, "departures" | "documentId">;

function departureOf({ activity: { departures, documentId } }: CaptureState): Departure {
  return { departures, documentId };
}

/** Whether the page is on its way to another document since `before`, or there. */
async function hasLeft({ activity }: CaptureState, before: Departure): Promise<boolean> {
  const isElsewhere = () => activity.documentId !== before.documentId;
  if (activity.departures === before.departures) return isElsewhere();
  return activity.until(isElsewhere, DEPARTURE_MS);
}

/** How the caller's scripts are called in the stacks of errors, so that their lines can be told from the page's. */
const SCRIPT_NAME = "caller-script";

const MESSAGE_MAX_CHARACTERS = 300;

/** What was thrown, and in which line of the caller's code. */
function thrownText({ exception, text, lineNumber }: Protocol.Runtime.ExceptionDetails): string {
  const description = exception?.description ?? String(exception?.value ?? text);
  const thrown = (description.split("\n")[0] ?? "").slice(0, MESSAGE_MAX_CHARACTERS).toWellFormed();
  if (exception?.subtype !== "error") return thrown;
  // Lines are counted from 1 in stacks and from 0 in what does not parse; before the caller's first one comes ours.
  const inStack = new RegExp(`${SCRIPT_NAME}:(\\d+):`).exec(description)?.[1];
  return `${thrown} (line ${Math.max(1, inStack === undefined ? lineNumber : Number(inStack) - 1)})`;
}
