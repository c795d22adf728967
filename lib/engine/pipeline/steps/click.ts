// Clicks an element and waits for what the click loads.

import * as v from "valibot";
import { quote } from "../../errors/target-report.ts";
import type * as clickEffect from "../../injected/click-effect.ts";
import type * as elements from "../../injected/elements.ts";
import type * as scrollPosition from "../../injected/scroll-position.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { type ElementTarget, waitForElement } from "../../page/elements.ts";
import { scrollToPointInPage } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { clickMouse } from "../../page/mouse.ts";
import { type OpenedTab, type OpenedTabs, openInPage, watchOpenedTabs } from "../../page/opened-tabs.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { hasNavigated, navigationState } from "../../page/pending-navigation.ts";
import { passTime } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** The page's time in which a click takes effect, at the latest, where nothing else is waited for. */
const MAX_EFFECT_MS = 500;

export const click: StepFactory<ReadyStep, ElementTarget> = readyStep({
  name: "click",
  awaits: ({ selector }) => `${quote(selector)} to be clicked`,
  mayNavigate: true,
  runsOnce: true,
  run: async (page, element) => {
    if (await waitForElement(page, "click", element)) await clickElement(page, element.selector);
  },
});

async function clickElement(page: CapturedPage, selector: string): Promise<void> {
  const { activity, warnings } = page;
  using tabs = watchOpenedTabs(page);
  const before = navigationState(activity);
  const { requestsStarted } = activity;
  const { isDisabled } = await evaluateInIsolatedWorld(page, scrollIntoViewInPage, selector);
  const isPostedHere = await evaluateInIsolatedWorld(page, watchClick, selector);
  if (isDisabled) warnings.push(`The element '${selector}' of 'click' is disabled; nothing was clicked.`);
  else await press(page, selector);
  // A form is submitted, and a link followed, in a task after the click.
  await evaluateInIsolatedWorld(page, nextTask);
  await hasNavigated(activity, before);
  await waitForLoad(page);
  if (activity.documentId !== before.documentId) {
    if (isPostedHere) warnings.push(followed(selector));
  } else {
    const isEffective = isDisabled || (await hasEffect(page, selector, { tabs, requestsStarted }));
    const tab = tabs.first();
    if (tab) await followTab(page, selector, tab);
    else if (!isEffective) warnings.push(`The click on '${selector}' had no effect: nothing has changed on the page.`);
  }
  await evaluateInIsolatedWorld(page, scrollBackInPage);
}

function followed(selector: string): string {
  return `The click on '${selector}' opened another tab; its address was opened in the page instead.`;
}

async function followTab(page: CapturedPage, selector: string, tab: OpenedTab): Promise<void> {
  if (await openInPage(page, tab)) {
    page.warnings.push(followed(selector));
    await waitForLoad(page);
  } else {
    page.warnings.push(
      `The click on '${selector}' opened another tab, which is not captured: its content has no address.`,
    );
  }
}

interface SinceClick {
  readonly tabs: OpenedTabs;
  /** How many requests had been started before. */
  readonly requestsStarted: number;
}

/** Whether a click has changed anything that can be seen from here. */
async function hasEffect(
  page: CapturedPage,
  selector: string,
  { tabs, requestsStarted }: SinceClick,
): Promise<boolean> {
  const { activity } = page;
  if (page.isJavaScriptDisabled) return true; // mutations are not reported
  const isSeen = async () =>
    tabs.first() !== undefined ||
    activity.requestsStarted > requestsStarted ||
    (await evaluateInIsolatedWorld(page, hasClickEffect, selector));
  if (await isSeen()) return true;
  await passTime(page, MAX_EFFECT_MS);
  return isSeen();
}

/** Clicks with the mouse; an element behind another one is clicked by script, as assistive technology does. */
async function press(page: CapturedPage, selector: string): Promise<void> {
  const { point } = await evaluateInIsolatedWorld(page, scrollToPointInPage, selector);
  if (point) await clickMouse(page, point);
  else await evaluateInIsolatedWorld(page, clickCovered, selector);
}

const clickCovered: PageFunction<typeof elements.clickCovered> = pageFunction("layout", "clickCovered", {
  waitsFor: "time",
});

const hasClickEffect: PageFunction<typeof clickEffect.hasClickEffect> = pageFunction("layout", "hasClickEffect", {
  result: v.boolean(),
});

const nextTask: PageFunction<typeof elements.nextTask> = pageFunction("layout", "nextTask", { waitsFor: "time" });

export const scrollBackInPage: PageFunction<typeof scrollPosition.scrollBack> = pageFunction("layout", "scrollBack");

export const scrollIntoViewInPage: PageFunction<typeof scrollPosition.scrollIntoView> = pageFunction(
  "layout",
  "scrollIntoView",
  { waitsFor: "time", result: v.object({ isDisabled: v.boolean() }) },
);

const watchClick: PageFunction<typeof clickEffect.watchClick> = pageFunction("layout", "watchClick", {
  result: v.boolean(),
});
