// Runs the caller's scripts in the page, one after the other.
import type { Protocol } from "puppeteer-core";
import { scriptFailed } from "../../errors/option-errors.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { isContextLost } from "../../page/context-lost.ts";
import { hasNavigated, navigationState } from "../../page/pending-navigation.ts";
import { whileTimePasses } from "../../rendering/page-time.ts";
import { hardAllowance } from "../../timing/budget.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest wait for the first paint: a script that blocks the page must not keep `on_timeout=capture` from having a frame. */
const MAX_FIRST_PAINT_MS = 100;

/** The name of the caller's scripts in stack traces, which shows their lines from those of the page. */
const SCRIPT_NAME = "caller-script";

const MAX_MESSAGE_CHARACTERS = 300;

interface RunScripts {
  readonly scripts: readonly string[];
}

export const runScripts: StepFactory<ReadyStep, RunScripts> = readyStep({
  name: "run-scripts",
  awaits: () => "a script to end",
  mayNavigate: true,
  run: async (page, { scripts }) => {
    const { activity } = page;
    await activity.until(() => activity.document.painted, MAX_FIRST_PAINT_MS);
    for (const [index, script] of scripts.entries()) await runScript(page, script, index);
  },
});

async function runScript(page: CapturedPage, code: string, index: number): Promise<void> {
  const { session, activity, budget, now } = page;
  const before = navigationState(activity);
  const running = session.cdp.send("Runtime.evaluate", {
    expression: `(async () => {\n${code}\n})()\n//# sourceURL=${SCRIPT_NAME}`,
    awaitPromise: true,
    userGesture: true,
  });
  const ended = await withTimeout(whileTimePasses(page, running), hardAllowance(budget, now())).catch((error) => {
    if (isContextLost(error)) throw scriptFailed(index, NAVIGATED);
    throw error;
  });
  if (!ended) throw new TimeoutError("a script to end");
  if (ended.exceptionDetails) throw scriptFailed(index, describeException(ended.exceptionDetails));
  if (await hasNavigated(activity, before)) throw scriptFailed(index, NAVIGATED);
}

const NAVIGATED = "it navigated to another page";

/** What was thrown, and in which line of the caller's code. */
function describeException({ exception, text, lineNumber }: Protocol.Runtime.ExceptionDetails): string {
  const description = exception?.description ?? String(exception?.value ?? text);
  const thrown = (description.split("\n")[0] ?? "").slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  if (exception?.subtype !== "error") return thrown;
  // Stack traces count lines from 1, syntax errors from 0; the wrapper adds a line before the caller's first one.
  const lineInStack = new RegExp(`${SCRIPT_NAME}:(\\d+):`).exec(description)?.[1];
  return `${thrown} (line ${Math.max(1, lineInStack === undefined ? lineNumber : Number(lineInStack) - 1)})`;
}
