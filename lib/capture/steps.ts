// What each step of a plan does to the page.
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import type { BrowserSession } from "./browser.ts";
import { type Budget, hardAllowance, softAllowance } from "./budget.ts";
import { httpError, isContextLost, navigationError, selectorNotFound, urlNotAllowed } from "./failure.ts";
import {
  type Area,
  assertCapturable,
  expressibleFormat,
  FULL_PAGE_MAX_HEIGHT,
  type ImageFormat,
  wholePixels,
} from "./image.ts";
import { MarkdownTooComplexError, renderMarkdown } from "./markdown.ts";
import type { PageActivity } from "./page-activity.ts";
import { findElement, readiness, writeDocument } from "./page-scripts.ts";
import type { LoadCondition, Step, StepName, StepOf } from "./plan.ts";

/** What the steps of one capture share and hand on to each other. */
export interface Capturing {
  readonly session: BrowserSession;
  readonly activity: PageActivity;
  readonly budget: Budget;
  readonly now: () => number;
  readonly warnings: string[];
  /** Set by `emulate`. */
  window: { width: number; height: number; scale: number };
  /** Set by the framing step. */
  area: Area;
  /** Set by `shoot`: the image as Chromium hands it over, in base64, and its format. */
  shot: { data: string; format: ImageFormat };
  /** Set by `encode`. */
  body: Buffer;
}

type Action<N extends StepName> = (capturing: Capturing, step: StepOf<N>) => Promise<void>;

const actions: { readonly [N in StepName]: Action<N> } = {
  emulate: async ({ session, ...capturing }, { width, height, scale, dark }) => {
    Object.assign(capturing.window, { width, height, scale });
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

/** A step that must not take longer did. The capture turns it into the error that names phase and pending requests. */
export class StepTimeout extends Error {}

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/** Longest waits of `auto`, in milliseconds: for the load event, for fonts and images, for the network to calm. */
const AUTO_LOAD_MS = 10_000;
const AUTO_READY_MS = 3_000;
const AUTO_CALM_MS = 2_000;
const AUTO_QUIET_MS = 100;
const NETWORK_QUIET_MS = 500;
const SOFT_IDLE_MS = 10_000;
const SELECTOR_MS = 10_000;
const MARKDOWN_MS = 10_000;

const loadConditions: { readonly [C in LoadCondition]: (capturing: Capturing) => Promise<void> } = {
  auto: async (capturing) => {
    const { activity, budget, now, warnings } = capturing;
    const loaded = await activity.until(() => activity.loaded, softAllowance(budget, now(), AUTO_LOAD_MS));
    if (!loaded) warnings.push(`The page had not finished loading; still pending: ${pendingText(activity)}.`);
    const capped = softAllowance(budget, now(), AUTO_READY_MS);
    const { canChange } = await ask(capturing, readiness, capped);
    // Without a script nothing more can begin, so there is nothing to wait for.
    if (!canChange) return;
    await activity.untilQuiet({ open: 0, quiet: AUTO_QUIET_MS }, softAllowance(budget, now(), AUTO_CALM_MS));
  },
  load: (capturing) => must(capturing, (activity, allowance) => activity.until(() => activity.loaded, allowance)),
  domcontentloaded: (capturing) =>
    must(capturing, (activity, allowance) => activity.until(() => activity.parsed, allowance)),
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

/**
 * Refuses a document that is not the page that was asked for: an address the proxy turned down, an error of the
 * network, an error status. Checked on arrival and again at the end, since a page may have gone elsewhere meanwhile.
 */
function confirmDocument({ session, activity }: Capturing, acceptErrorStatus: boolean, errorText?: string): void {
  const { document } = activity;
  if (!document) return;
  const { url, response } = document;
  const refusal = session.proxy.failureIn(response?.headers() ?? {});
  const netError = errorText ?? document.netError ?? "";
  const status = refusal === undefined ? (response?.status() ?? 0) : 0;
  const answeredEmpty = netError.includes("ERR_HTTP_RESPONSE_CODE_FAILURE"); // an error status without a body
  if (refusal !== undefined || (netError !== "" && !answeredEmpty)) {
    const tunnel = netError.includes("ERR_TUNNEL_CONNECTION_FAILED") ? session.proxy.tunnelFailure(url) : undefined;
    const egress = refusal ?? tunnel;
    throw navigationError({ url, netError, status, ...(egress && { egress }) });
  }
  if (status >= 400 && !acceptErrorStatus) throw httpError(url, status);
}

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

/** Runs a function in the page, and again in the next document when the page navigates away under it. */
async function ask<A extends unknown[], R>(
  { session, activity, budget, now }: Capturing,
  script: (...args: A) => Promise<R>,
  ...args: A
): Promise<R> {
  for (;;) {
    try {
      return (await session.page.evaluate(script, ...(args as never))) as R;
    } catch (error) {
      if (!isContextLost(error)) throw error;
      const arrived = await activity.until(() => activity.parsed, hardAllowance(budget, now()));
      if (!arrived) throw new StepTimeout();
    }
  }
}

/** The outcome of a promise, or undefined when it takes longer than `allowance` milliseconds. */
async function within<T>(promise: Promise<T>, allowance: number): Promise<T | undefined> {
  promise.catch(() => undefined); // it may yet fail after nobody waits for it
  const cancel = new AbortController();
  const expiry = sleep(allowance, undefined, { signal: cancel.signal }).catch(() => undefined);
  return Promise.race([promise, expiry]).finally(() => cancel.abort());
}

function pendingText(activity: PageActivity): string {
  const [first, ...more] = activity.pending();
  if (first === undefined) return "nothing on the network";
  return more.length > 0 ? `${first} and ${more.length} more` : first;
}
