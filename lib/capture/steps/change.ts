// Steps that change the page as the caller asks: styles, scripts, clicks, and where the pointer rests.
import type { Protocol } from "puppeteer-core";
import { hardAllowance, softAllowance } from "../budget.ts";
import { type Capturing, StepTimeout } from "../capturing.ts";
import { invalidSelector, isContextLost, scriptFailed, styleFailed } from "../failure.ts";
import { ask } from "../isolated-world.ts";
import { loadConditions } from "../load-conditions.ts";
import { clickCovered, target } from "../scripts/elements.ts";
import { addRules, addSheet, hide } from "../scripts/still.ts";
import { within } from "../within.ts";
import type { Actions } from "./actions.ts";
import { isThere } from "./find.ts";

const SHEET_MS = 10_000;

/** A page that sets out for another document says so at once; the request follows within this time, if it does. */
const DEPARTURE_MS = 500;

export const changeActions = {
  "add-styles": async (capturing, { styles }) => {
    for (const style of styles) {
      if (!/^https?:\/\/\S+$/i.test(style.trim())) await ask(capturing, addRules, style);
      else await addStyleSheet(capturing, style.trim());
    }
  },

  hide: async (capturing, { selectors }) => {
    const invalid = await ask(capturing, hide, [...selectors]);
    if (invalid !== null) throw invalidSelector("hide_selectors", invalid);
  },

  "run-scripts": async (capturing, { scripts }) => {
    for (const [index, script] of scripts.entries()) await runScript(capturing, script, index);
  },

  click: async (capturing, step) => {
    if (!(await isThere(capturing, { option: "click", ...step }))) return;
    await press(capturing, step.selector);
    await loadConditions.auto(capturing);
  },

  hover: async (capturing, step) => {
    if (!(await isThere(capturing, { option: "hover", ...step }))) return;
    const { point } = await ask(capturing, target, step.selector);
    if (point) await capturing.session.page.mouse.move(point.x, point.y);
    else capturing.warnings.push(`Another element lies over '${step.selector}', so that it cannot be hovered over.`);
  },
} satisfies Actions;

async function addStyleSheet(capturing: Capturing, href: string): Promise<void> {
  const allowance = softAllowance(capturing.budget, capturing.now(), SHEET_MS);
  if (!(await ask(capturing, addSheet, href, allowance))) throw styleFailed(href);
}

/** As a person would, or as assistive technology where another element is in the way. */
async function press(capturing: Capturing, selector: string): Promise<void> {
  const { point } = await ask(capturing, target, selector);
  if (point) await capturing.session.page.mouse.click(point.x, point.y);
  else await ask(capturing, clickCovered, selector);
}

async function runScript({ session, activity, budget, now }: Capturing, code: string, index: number): Promise<void> {
  const { departures, documentId } = activity;
  const running = session.cdp.send("Runtime.evaluate", {
    expression: `(async () => {\n${code}\n})()`,
    awaitPromise: true,
    userGesture: true,
  });
  const ended = await within(running, hardAllowance(budget, now())).catch((error) => {
    if (isContextLost(error)) throw scriptFailed(index, "it led to another page");
    throw error;
  });
  if (!ended) throw new StepTimeout("a script to end");
  if (ended.exceptionDetails) throw scriptFailed(index, thrownText(ended.exceptionDetails));
  const hasLeft = () => activity.documentId !== documentId;
  if (hasLeft() || (activity.departures > departures && (await activity.until(hasLeft, DEPARTURE_MS)))) {
    throw scriptFailed(index, "it led to another page");
  }
}

const MESSAGE_MAX_CHARACTERS = 300;

/** What was thrown, and in which line of the caller's code. */
function thrownText({ exception, text, lineNumber }: Protocol.Runtime.ExceptionDetails): string {
  const thrown = exception?.description?.split("\n")[0] ?? String(exception?.value ?? text);
  return `${thrown.slice(0, MESSAGE_MAX_CHARACTERS).toWellFormed()} (line ${Math.max(1, lineNumber)})`;
}
