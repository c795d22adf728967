// What each step of a plan does to the page.
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import { hardAllowance, softAllowance } from "./budget.ts";
import { ask, type Capturing, StepTimeout } from "./capturing.ts";
import { confirmDocument } from "./confirm-document.ts";
import { selectorNotFound, urlNotAllowed } from "./failure.ts";
import { type Area, assertCapturable, expressibleFormat, FULL_PAGE_MAX_HEIGHT, wholePixels } from "./image.ts";
import { loadConditions } from "./load-conditions.ts";
import { MarkdownTooComplexError, renderMarkdown } from "./markdown.ts";
import { findElement, writeDocument } from "./page-scripts.ts";
import type { Step, StepName, StepOf } from "./plan.ts";

type Action<N extends StepName> = (capturing: Capturing, step: StepOf<N>) => Promise<void>;

const actions: { readonly [N in StepName]: Action<N> } = {
  emulate: async (capturing, { width, height, scale, dark }) => {
    const { session } = capturing;
    capturing.window = { width, height, scale };
    await Promise.all([
      // Through the session that takes the picture: Chromium scales a picture by the metrics of its own session only.
      session.cdp.send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: scale,
        mobile: false,
      }),
      dark !== undefined &&
        session.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]),
    ]);
  },

  "open-url": async (capturing, { url, acceptErrorStatus }) => {
    const { href, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") throw urlNotAllowed(url);
    const { session, activity, budget, now } = capturing;
    activity.expectDocument(href);
    const navigation = session.cdp.send("Page.navigate", { url: href });
    const arrived = await within(navigation, hardAllowance(budget, now()));
    if (!arrived) throw new StepTimeout();
    // A failed navigation is told before the events of its request, which know what the target answered.
    if (arrived.errorText) await activity.until(() => activity.document.netError !== undefined, REQUEST_EVENTS_MS);
    confirmDocument(capturing, acceptErrorStatus, arrived.errorText);
  },

  "write-html": async ({ session, activity }, { html }) => {
    activity.expectDocument("about:blank");
    await session.page.evaluate(writeDocument, html);
  },

  "write-markdown": async (capturing, { markdown }) => {
    const timeoutMs = hardAllowance(capturing.budget, capturing.now(), MARKDOWN_MS);
    const html = await renderMarkdown(markdown, { timeoutMs }).catch((error) => {
      if (!(error instanceof MarkdownTooComplexError)) throw error;
      throw new ApiError("VALIDATION_ERROR", error.message, { details: { markdown: [error.message] }, cause: error });
    });
    await actions["write-html"](capturing, { name: "write-html", html });
  },

  "await-load": async (capturing, { conditions }) => {
    for (const condition of conditions) await loadConditions[condition](capturing);
  },

  pause: async (_, { seconds }) => {
    await sleep(seconds * 1000);
  },

  "confirm-document": async (capturing, { acceptErrorStatus }) => {
    confirmDocument(capturing, acceptErrorStatus);
  },

  "frame-window": async (capturing) => {
    const { pageX, pageY } = (await capturing.session.cdp.send("Page.getLayoutMetrics")).cssVisualViewport;
    const { width, height } = capturing.window;
    capturing.area = { x: pageX, y: pageY, width, height };
  },

  "frame-page": async (capturing) => {
    const { width, height } = (await capturing.session.cdp.send("Page.getLayoutMetrics")).cssContentSize;
    const cut = Math.min(height, FULL_PAGE_MAX_HEIGHT);
    if (cut < height) capturing.warnings.push(`The page is ${height} pixels tall; the image ends at ${cut}.`);
    capturing.area = wholePixels({ x: 0, y: 0, width, height: cut });
  },

  "frame-element": async (capturing, { selector }) => {
    capturing.area = wholePixels(await visibleElement(capturing, selector));
  },

  shoot: async (capturing, { format: wanted, quality, transparent }) => {
    const { session, area, window, warnings } = capturing;
    assertCapturable(area, window.scale);
    const format = expressibleFormat(wanted, area, window.scale);
    if (format !== wanted) warnings.push(`An image of this size cannot be expressed as ${wanted}; it is a ${format}.`);
    if (transparent) await session.cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
    const { data } = await session.cdp.send("Page.captureScreenshot", {
      format,
      ...(format !== "png" && { quality }),
      clip: { ...area, scale: 1 },
      captureBeyondViewport: true,
    });
    capturing.shot = { data, format };
  },

  encode: async (capturing) => {
    capturing.body = Buffer.from(capturing.shot.data, "base64");
  },
};

/** Carries out one step. Throws an ApiError that says why it could not, or `StepTimeout` when its time was up. */
export async function perform(capturing: Capturing, step: Step): Promise<void> {
  // The table pairs each name with an action for that very step, which TypeScript cannot see through the union.
  await (actions[step.name] as Action<StepName>)(capturing, step);
}

const REQUEST_EVENTS_MS = 250;
const SELECTOR_MS = 10_000;
const MARKDOWN_MS = 10_000;

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/** The box of the first visible element that matches, waiting for one to appear. */
async function visibleElement(capturing: Capturing, selector: string): Promise<Area> {
  const allowance = softAllowance(capturing.budget, capturing.now(), SELECTOR_MS);
  const found = await ask(capturing, findElement, selector, allowance);
  if (found.area) return found.area;
  if (!found.invalid) throw selectorNotFound(selector, allowance, found.hidden);
  throw new ApiError("VALIDATION_ERROR", `Option 'selector' is not a valid CSS selector: '${selector}'.`, {
    details: { selector: ["is not a valid CSS selector"] },
  });
}

/** The outcome of a promise, or undefined when it takes longer than `allowance` milliseconds. */
async function within<T>(promise: Promise<T>, allowance: number): Promise<T | undefined> {
  promise.catch(() => undefined); // it may yet fail after nobody waits for it
  const cancel = new AbortController();
  const expiry = sleep(allowance, undefined, { signal: cancel.signal }).catch(() => undefined);
  return Promise.race([promise, expiry]).finally(() => cancel.abort());
}
