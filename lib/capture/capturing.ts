// What the steps of one capture share and hand on to each other.
import type { BrowserSession } from "./browser.ts";
import { type Budget, hardAllowance } from "./budget.ts";
import { isContextLost } from "./failure.ts";
import type { Area, ImageFormat } from "./image.ts";
import type { PageActivity } from "./page-activity.ts";

export interface Capturing {
  readonly session: BrowserSession;
  readonly activity: PageActivity;
  readonly budget: Budget;
  readonly now: () => number;
  readonly warnings: string[];
  /** Id of the document that was found to be the page asked for. */
  confirmed: string;
  /** Set by `emulate`. */
  window: { width: number; height: number; scale: number };
  /** Set by the framing step. */
  area: Area;
  /** Set by `shoot`: the image as Chromium hands it over, in base64, and its format. */
  shot: { data: string; format: ImageFormat };
  /** Set by `encode`. */
  body: Buffer;
}

/** A step that must not take longer did. The capture turns it into the error that names phase and pending requests. */
export class StepTimeout extends Error {}

/** Runs a function in the page, and again in the next document when the page navigates away under it. */
export async function ask<A extends unknown[], R>(
  { session, activity, budget, now }: Capturing,
  script: (...args: A) => Promise<R>,
  ...args: A
): Promise<R> {
  for (;;) {
    try {
      return (await session.page.evaluate(script, ...(args as never))) as R;
    } catch (error) {
      if (!isContextLost(error)) throw error;
      const arrived = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
      if (!arrived) throw new StepTimeout();
    }
  }
}
