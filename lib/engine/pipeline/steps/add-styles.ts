// Adds the caller's style sheets, given as CSS or as URLs, and waits for what they load.

import * as v from "valibot";
import { styleFailed } from "../../errors/option-errors.ts";
import type * as styles from "../../injected/styles.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { nextFrameInPage } from "../../page/next-frame.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { softAllowance } from "../../timing/budget.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest wait for one style sheet. */
const MAX_SHEET_MS = 10_000;

/** Longest wait for the images and fonts that the styles load. */
const MAX_ASSETS_MS = 3_000;

interface AddStyles {
  readonly styles: readonly string[];
}

export const addStyles: StepFactory<ReadyStep, AddStyles> = readyStep({
  name: "add-styles",
  awaits: () => "the styles to load",
  appliesToEveryDocument: true,
  run: async (page, { styles }) => {
    const { activity, budget, now } = page;
    const { requestsStarted } = activity;
    for (const style of styles) await addStyle(page, style);
    await evaluateInIsolatedWorld(page, nextFrameInPage); // in which the page requests what the styles show
    await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_ASSETS_MS));
    await activity.untilAnswered(requestsStarted, softAllowance(budget, now(), MAX_ASSETS_MS));
  },
});

async function addStyle(page: CapturedPage, style: string): Promise<void> {
  const timeoutMs = softAllowance(page.budget, page.now(), MAX_SHEET_MS);
  const href = style.trim();
  if (/^https?:\/\/\S+$/i.test(href)) {
    if (!(await evaluateInIsolatedWorld(page, addSheet, href, timeoutMs))) throw styleFailed(href);
  } else if (!(await evaluateInIsolatedWorld(page, addRules, style, timeoutMs))) {
    throw styleFailed(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/i.exec(style)?.[1] ?? "@import");
  }
}

const addRules: PageFunction<typeof styles.addRules> = pageFunction("layout", "addRules", { result: v.boolean() });

const addSheet: PageFunction<typeof styles.addSheet> = pageFunction("layout", "addSheet", {
  waitsFor: "resources",
  result: v.boolean(),
});
