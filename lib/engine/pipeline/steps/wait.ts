// Steps that wait for the page, and those that make sure it is the one that was asked for.
import { setTimeout as sleep } from "node:timers/promises";
import type { Protocol } from "puppeteer-core";
import { matchesText } from "../../adblock/url-pattern.ts";
import { waitForChallenge } from "../../bot-detection/bot-challenge.ts";
import { readDocument } from "../../outputs/document/documents.ts";
import { confirmDocument } from "../../page/confirm-document.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { hardAllowance, softAllowance } from "../budget.ts";
import { type CaptureState, StepTimeout } from "../capture-context.ts";
import { contentRuleFailed, expressionFailed, invalidSelector, isContextLost } from "../capture-failure.ts";
import type { StepOf } from "../step.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Actions } from "./actions.ts";
import { awaitElements } from "./find.ts";

const EXPRESSION_POLL_MS = 50;

/** Longest wait for a document that the page has set out for. */
const ARRIVAL_MS = 10_000;

/** Of a page's text in which phrases are looked for; the longest pages people read have two million. */
const MAX_CHARACTERS = 10_000_000;

/** Longest scroll through a page, and longest wait at each of its steps where the caller has not said. */
const SCROLL_MS = 20_000;
const SCROLL_STEP_MS = 400;

/** What a page that has been scrolled to its end needs to begin to load more. */
const MORE_MS = 100;

const IMAGES_MS = 3_000;

/** Longest wait for what goes away when a page is back at its top. */
const FADING_MS = 1_000;

export const settleActions = {
  "await-load": async (capturing, { conditions }) => {
    await waitForLoad(capturing, conditions);
  },

  "pass-wall": async (capturing, { wall, conditions }) => {
    if (!(await waitForChallenge(capturing, wall))) return;
    await waitForLoad(capturing, conditions);
  },

  "await-selectors": async (capturing, { selectors, enough }) => {
    await awaitElements(capturing, { option: "wait_for_selector", selectors, enough, patient: true });
  },

  "await-hidden": async (capturing, { selector }) => {
    const { budget, now } = capturing;
    const isHidden = await evaluateInIsolatedWorld(capturing, "awaitHidden", selector, hardAllowance(budget, now()));
    if (isHidden === null) throw invalidSelector("wait_for_selector_hidden", selector);
    if (!isHidden) throw new StepTimeout(`'${selector}' to go away`);
  },

  "await-expression": (capturing, { expression }) => awaitExpression(capturing, expression),

  pause: async (_, { seconds }) => {
    await sleep(seconds * 1000);
  },

  "scroll-through": (capturing, step) => scrollThrough(capturing, step),

  "confirm-document": async (capturing, { refused, wall }) => {
    const { activity, budget, now } = capturing;
    // The page has just set out for another document: that is the one to be captured, if it comes.
    const isUnderWay = !activity.document.arrived && activity.document.netError === undefined;
    const allowance = softAllowance(budget, now(), ARRIVAL_MS);
    if (isUnderWay && (await activity.until(() => activity.document.arrived, allowance))) {
      await waitForLoad(capturing);
    }
    confirmDocument(capturing, []);
    const isAnother = capturing.passed !== activity.documentId;
    if (wall && isAnother && (await waitForChallenge(capturing, wall))) await waitForLoad(capturing);
    confirmDocument(capturing, refused);
  },

  "check-content": async (capturing, { contains, missing }) => {
    const { text } = await readDocument(capturing, "text", { shadowDom: true, characters: MAX_CHARACTERS });
    const seen = plain(text);
    const shows = (phrase: string) => seen.includes(plain(phrase).trim());
    const unwanted = contains.find(shows);
    if (unwanted !== undefined) throw contentRuleFailed("fail_if_content_contains", `the page contains '${unwanted}'`);
    const lacking = missing.find((phrase) => !shows(phrase));
    if (lacking !== undefined) throw contentRuleFailed("fail_if_content_missing", `the page lacks '${lacking}'`);
  },

  "check-requests": async ({ activity }, { patterns }) => {
    const failed = activity.failures.find(({ url }) => patterns.some((pattern) => matchesText(pattern, url)));
    if (failed) throw contentRuleFailed("fail_if_request_failed", `${failed.url} failed (${failed.reason})`);
  },
} satisfies Actions;

/** Case and white space make no difference. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").toLowerCase();
}

async function awaitExpression({ session, activity, budget, now }: CaptureState, expression: string): Promise<void> {
  const allowance = hardAllowance(budget, now());
  const expiry = now() + allowance;
  let why = "it did not become true";
  while (now() < expiry) {
    const asking = session.cdp.send("Runtime.evaluate", { expression, awaitPromise: true });
    const answer = await withTimeout(asking, expiry - now()).catch((error) => {
      if (!isContextLost(error)) throw error;
      return "navigated" as const;
    });
    if (answer === undefined) break;
    if (answer === "navigated") {
      await activity.until(() => activity.document.parsed, expiry - now());
      continue;
    }
    const { result, exceptionDetails } = answer;
    if (!exceptionDetails && isTruthy(result)) return;
    why = exceptionDetails ? `it threw ${thrownBy(exceptionDetails)}` : "it did not become true";
    await sleep(EXPRESSION_POLL_MS);
  }
  throw expressionFailed(`${why} within ${(allowance / 1000).toFixed(1)} s`);
}

/** Numbers that JSON does not have, big integers among them, come by name. */
function isTruthy({ value, objectId, unserializableValue }: Protocol.Runtime.RemoteObject): boolean {
  return Boolean(value) || objectId !== undefined || /^-?(Infinity|[1-9]\d*n)$/.test(unserializableValue ?? "");
}

/** What throws may only be too early; what does not parse never will. Throws `EXPRESSION_FAILED` for that. */
function thrownBy({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  const [thrown = "", ...stack] = (exception?.description ?? String(exception?.value ?? text)).split("\n");
  const isUnparsable = /^SyntaxError/.test(thrown) && !stack.some((line) => line.startsWith("    at "));
  if (isUnparsable) throw expressionFailed(`it is not JavaScript: ${thrown}`);
  return thrown.slice(0, 200).toWellFormed();
}

/**
 * Scrolls through the page, so that what loads or appears when it comes into view has done so; then back to the top.
 * Ends where the page ends, at `maxHeight`, or when its time is up: a page that grows without end does so at once.
 */
async function scrollThrough(
  capturing: CaptureState,
  { by, delayMs, maxHeight, virtualizedHelp: help }: StepOf<"scroll-through">,
): Promise<void> {
  const { activity, budget, now, warnings } = capturing;
  const expiry = now() + softAllowance(budget, now(), SCROLL_MS);
  let height = 0;
  for (;;) {
    const { begun } = activity;
    await evaluateInIsolatedWorld(capturing, "recordView");
    const step = await evaluateInIsolatedWorld(capturing, "scrollByStep", by ?? null);
    if (!step.moved && step.height <= height) break;
    height = step.height;
    if (delayMs !== undefined) await sleep(delayMs);
    else await activity.untilAnswered(begun, SCROLL_STEP_MS);
    const isAtEnd = step.position >= step.height - 1;
    if (isAtEnd && step.canGrow && delayMs === undefined) await grown(capturing, begun);
    if (step.position >= maxHeight) break;
    if (now() >= expiry) {
      warnings.push(`The page was scrolled through as far as ${Math.round(step.position)} pixels; time was up.`);
      break;
    }
  }
  await evaluateInIsolatedWorld(capturing, "scrollToTop", softAllowance(budget, now(), FADING_MS));
  await evaluateInIsolatedWorld(capturing, "readiness", softAllowance(budget, now(), IMAGES_MS), maxHeight);
  if (help !== undefined && (await evaluateInIsolatedWorld(capturing, "countDiscardedViews", maxHeight)) > 0)
    warnings.push(virtualized(help));
}

/** The warning of a page whose lower parts are empty once they are out of the window. */
function virtualized(help: string): string {
  return `The page removes what is far from its window (a virtualized list), so that parts of the capture are blank. ${help}`;
}

/** At its end a page may ask for more: waits for the requests that begin now. */
async function grown({ activity }: CaptureState, begun: number): Promise<void> {
  await activity.until(() => activity.begun > begun, MORE_MS);
  await activity.untilAnswered(begun, SCROLL_STEP_MS);
}
